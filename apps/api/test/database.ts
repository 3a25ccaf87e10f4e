import type { KyselyPlugin } from 'kysely'
import { afterAll, inject } from 'vitest'
import type { Layout } from '../src/db/citus/layout.ts'
import { type Connection, toDatabase, withSettings } from '../src/db/connection.ts'
import { type Database, type Db, openDatabase } from '../src/db/database.ts'
import { type Clock, movingClock, type SettableClock } from '../src/lib/clock.ts'
import { type AllStores, storesOf } from '../src/start/stores.ts'
import type { TotalsDatabases } from '../src/totals/read-totals.ts'
import { refuseUnportable } from './portability-rules.ts'
import { outsideOfTransactions } from './test-clock.ts'
import { dropDatabase, execute, nameOf, prepareCitus } from './test-server.ts'

export type TestDatabase = Database &
  AllStores & {
    connection: Connection
    layout: Layout
    /** Of its transactions: Sunday, 2026-03-01, ten in the morning in New York. */
    clock: SettableClock
  }

/** A database without a schema does not have the app's tables yet. */
export type TestDatabaseOptions = { schema?: boolean; layout?: Layout }

/**
 * A migrated, otherwise empty database for this test file, opened with the app's role. Call it once at the top of the
 * file; it is dropped after the file's last test:
 *
 *     const { db } = await testDatabase()
 */
export async function testDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const database = await createTestDatabase(options)
  afterAll(() => database.close())
  return database
}

/** Empties tables as their owner, because the app's role may not delete events. Without seals, their chain is new. */
export const emptyTables = (connection: Connection, tables: readonly string[]): Promise<void> =>
  execute(
    connection,
    [
      "set citus.multi_shard_modify_mode to 'sequential'",
      ...tables.map((table) => `delete from ${table}`),
      ...(tables.includes('pay_seals')
        ? [`update pay_seal_head set number = 0, hash = decode(repeat('00', 32), 'hex')`]
        : []),
    ].join(';'),
  )

/** The database, with a plugin that looks at what it is asked, or changes it. */
export const withPlugin = (db: Db, plugin: KyselyPlugin): Db =>
  Object.assign(db.withPlugin(plugin), { clock: db.clock, beside: db.beside })

/** The database, whose transactions take their instant from another clock. */
export const withClock = (db: Db, clock: Clock): Db =>
  Object.assign(db.withoutPlugins(), { clock, beside: db.beside })

/** What reports are read from at a moment. `iso` needs a time zone. */
export function databasesAt(db: Db, iso: string): TotalsDatabases {
  const clock = movingClock(iso)
  const timed = withClock(db, clock)
  return { db: timed, reportDb: timed, clock }
}

/** The server's own layout, for tests of statements that only work in it. */
export const ownLayout = (): Layout => (inject('testServer').isCitus ? 'distributed' : 'together')

let made = 0

/**
 * The same for a test that needs several databases, destroys one, or starts without a schema. `close` drops it.
 *
 * `layout: 'distributed'` makes the app write as it does on Citus. On an ordinary server the rows still live together;
 * on a Citus coordinator they are distributed.
 */
export async function createTestDatabase({
  schema = true,
  layout = schema ? inject('testServer').layout : 'together',
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { connection: server, template, distributed, prefix, isCitus } = inject('testServer')
  const name = `${prefix}_${process.pid}_${++made}_${Math.random().toString(36).slice(2, 8)}`
  const plain = toDatabase(server, name)
  const connection =
    layout === 'distributed' && !isCitus
      ? withSettings(plain, { search_path: standIn.path })
      : plain
  const copied = layout === 'distributed' ? (distributed ?? template) : template
  await execute(server, `create database ${name} ${schema ? `template ${nameOf(copied)}` : ''}`)
  if (layout === 'distributed' && !schema && isCitus) await prepareCitus(connection)
  if (layout === 'distributed' && schema && !isCitus) await execute(plain, standIn.sql)

  const clock = movingClock('2026-03-01T15:00:00Z')
  const database = openDatabase(connection, { max: 5, applicationName: 'tallyroom tests', clock })
  database.pool.on('connect', (client) =>
    refuseUnportable(client, { citus: layout === 'distributed' }),
  )
  return {
    ...database,
    connection,
    layout,
    clock: outsideOfTransactions(clock),
    ...storesOf({ layout }),
    async close() {
      await database.close()
      await dropDatabase(server, name)
    },
  }
}

/** The function of Citus with which the app asks workers, on a server that has none. */
export const withoutWorkers = (schema: string) => `
  create function ${schema}.run_command_on_workers(command text)
    returns table (nodename text, nodeport integer, success boolean, result text)
    language sql as 'select $$$$::text, 0, false, $$$$::text where false'
`

/** The tables and the function of Citus that the app uses, in a schema that listings of the app's tables leave out. */
const standIn = {
  path: 'public,citus_stand_in',
  sql: `
    create schema citus_stand_in;
    create table citus_stand_in.pg_dist_partition as
      select 'public.clicks'::regclass as logicalrelid, 'h'::"char" as partmethod;
    create table citus_stand_in.pg_dist_node as
      select 1 as nodeid, 0 as groupid, ''::text as nodename, 0 as nodeport, true as isactive, 'primary'::text as noderole,
        true as hasmetadata, true as metadatasynced;
    create table citus_stand_in.pg_dist_placement as select 1::bigint as shardid, 1 as groupid;
    create table citus_stand_in.pg_dist_shard (shardid bigint, logicalrelid regclass);
    grant usage on schema citus_stand_in to tallyroom_app;
    grant select on all tables in schema citus_stand_in to tallyroom_app;
    ${withoutWorkers('citus_stand_in')};
    grant delete on clicks, click_seals, sale_events, sale_keys to tallyroom_app;
    grant insert on archive_purges to tallyroom_app;
  `,
}

/** A database without a schema on a Citus server, prepared as an administrator would. `close` drops it. */
export async function createCitusDatabase(): Promise<Pick<TestDatabase, 'connection' | 'close'>> {
  const { connection, close } = await createTestDatabase({ schema: false, layout: 'distributed' })
  return { connection: withSettings(connection, { 'citus.shard_count': 4 }), close }
}
