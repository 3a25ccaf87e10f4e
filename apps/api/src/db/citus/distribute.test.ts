import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase, testDatabase } from '../../../test/database.ts'
import { referredTo } from '../../../test/portability-rules.ts'
import type { Connection } from '../connection.ts'
import { openDatabase } from '../database.ts'
import { distribute } from './distribute.ts'
import { findLayout } from './layout.ts'
import { type TablePlace, tablePlaces } from './table-places.ts'

const { db, connection } = await testDatabase({ layout: 'together' })
const { db: distributed } = await testDatabase({ layout: 'distributed' })
const ordinary = openOwner(connection)

function openOwner(to: Connection) {
  const owner = openDatabase(to, { max: 2, applicationName: 'tallyroom cli', asOwner: true })
  afterAll(() => owner.close())
  return owner.db
}

const placeOf = (table: string): TablePlace | undefined =>
  Object.entries(tablePlaces).find(([name]) => name === table)?.[1]

test('every table of the schema has a place', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%'
    order by relname
  `.execute(db)
  expect(Object.keys(tablePlaces).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('every key of a distributed table contains its distribution column', async () => {
  const { rows } = await sql<{ table: string; index: string; columns: string[] }>`
    select
      tables.relname as table, indexes.relname as index,
      array(
        select attname::text from pg_attribute
        where attrelid = tables.oid and attnum = any(pg_index.indkey::smallint[])
      ) as columns
    from pg_index
    join pg_class as tables on tables.oid = pg_index.indrelid
    join pg_class as indexes on indexes.oid = pg_index.indexrelid
    where pg_index.indisunique and tables.relnamespace = 'public'::regnamespace
  `.execute(db)
  const wrong = rows.filter(({ table, columns }) => {
    const place = placeOf(table)
    return place?.startsWith('by ') === true && !columns.includes(place.slice('by '.length))
  })
  expect(rows.length).toBeGreaterThan(40)
  expect(wrong).toEqual([])
})

test('the rows of distributed tables can be told apart, so that their shards can move', async () => {
  const { rows } = await sql<{ table: string; canMove: boolean }>`
    select relname as table, relreplident = 'f' or exists (
      select from pg_index where indrelid = pg_class.oid and indisprimary
    ) as "canMove"
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  `.execute(db)
  const stuck = rows.filter(({ table, canMove }) => !canMove && placeOf(table)?.startsWith('by '))
  expect(stuck).toEqual([])
})

test('tables distributed by agent have the agent as the same type, so that an agent’s rows are on one machine', async () => {
  const { rows } = await sql<{ table: string; type: string }>`
    select attrelid::regclass::text as table, atttypid::regtype::text as type
    from pg_attribute where attname = 'agent_id'
  `.execute(db)
  const types = rows.filter(({ table }) => placeOf(table) === 'by agent_id').map(({ type }) => type)
  expect(types).toHaveLength(13)
  expect(new Set(types)).toEqual(new Set(['integer']))
})

const foreignKeys = async () => {
  const { rows } = await sql<{ name: string; from: string; to: string }>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to
    from pg_constraint where contype = 'f'
  `.execute(db)
  return rows
}

test('no foreign key leads to or from a distributed table, nor from a reference table to the coordinator', async () => {
  const rows = await foreignKeys()
  const wrong = rows.filter(({ from, to }) => {
    const places = [placeOf(from), placeOf(to)]
    return (
      places.some((place) => place?.startsWith('by ')) ||
      (places[0] === 'everywhere' && places[1] !== 'everywhere')
    )
  })
  expect(rows.length).toBeGreaterThan(15)
  expect(wrong).toEqual([])
})

test('tables of the coordinator with a foreign key are managed by Citus, and parents if one leads to them', async () => {
  const keys = (await foreignKeys()).filter(({ from }) => placeOf(from) !== 'everywhere')
  const [from, to] = [new Set(keys.map((key) => key.from)), new Set(keys.map((key) => key.to))]
  const found = [...from].toSorted().map((table) => [table, placeOf(table)])
  expect(found).toEqual(
    [...from].toSorted().map((table) => [table, to.has(table) ? 'managed parent' : 'managed']),
  )
})

test('the rules know the reference tables that foreign keys lead to', async () => {
  const found = (await foreignKeys()).map(({ to }) => to)
  expect([...new Set(found)].filter((to) => placeOf(to) === 'everywhere').toSorted()).toEqual(
    referredTo,
  )
})

test.runIf(inject('testServer').isCitus)('Citus has every table in its place', async () => {
  const { rows } = await sql<{ table: string; method: string; model: string }>`
    select logicalrelid::text as table, partmethod as method, repmodel as model
    from pg_dist_partition
    where not exists (select from pg_class where oid = logicalrelid and relispartition)
  `.execute(distributed)
  const kinds: Record<string, string> = { h: 'spread', nt: 'everywhere', ns: 'managed' }
  const found = rows.map(({ table, method, model }) => [
    table,
    kinds[method === 'h' ? method : method + model],
  ])
  const wanted = Object.entries(tablePlaces)
    .filter(([, place]) => place !== 'coordinator')
    .map(([table, place]) => [table, place.startsWith('by ') ? 'spread' : place.split(' ')[0]])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
})

test('an ordinary database is detected as not distributed', async () => {
  expect(await findLayout(db)).toBe('together')
  expect(await findLayout(distributed)).toBe('distributed')
})

test('an ordinary database is not distributed, and the operator is told what is missing', async () => {
  await expect(distribute(ordinary)).rejects.toThrow('create extension citus')
})

/**
 * Puts the schema before the catalog in the search path, so that its tables hide catalog tables,
 * which only an administrator may write to.
 */
async function standBeforeCatalog(to: Connection): Promise<void> {
  const owner = openDatabase(to, { max: 1, applicationName: 'tallyroom cli', asOwner: true })
  await sql`
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$
  `.execute(owner.db)
  await owner.close()
}

/** A database that answers the questions before anything is moved as Citus would. A real one has the rest: `test/on-citus`. */
async function pretendCitus({ version = '13.2-1', nodes = '(0, false), (1, true)' } = {}) {
  const database = await createTestDatabase({ layout: 'together' })
  // The tests' own sessions look like those of the app.
  await database.db.destroy()
  await standBeforeCatalog(database.connection)
  const owner = openDatabase(database.connection, {
    max: 2,
    applicationName: 'tallyroom cli',
    asOwner: true,
  })
  onTestFinished(async () => {
    await owner.close()
    await database.close()
  })
  await sql
    .raw(`
      create table pg_extension (extname name, extversion text);
      insert into pg_extension values ('citus', '${version}');
      create table pg_dist_node (groupid integer, shouldhaveshards boolean, isactive boolean default true,
        noderole text default 'primary');
      insert into pg_dist_node values ${nodes};
    `)
    .execute(owner.db)
  return { owner: owner.db, connection: database.connection }
}

test.each([
  ['Citus is too old', { version: '12.1-1' }, '13 or newer'],
  ['the coordinator is not among the nodes', { nodes: '(1, true)' }, 'citus_set_coordinator_host'],
  ['no node may hold rows', { nodes: '(0, false)' }, 'citus_add_node'],
])('it is refused while %s', async (_, options, message) => {
  const { owner } = await pretendCitus(options)
  await expect(distribute(owner)).rejects.toThrow(message)
})

test('it is refused while the app is connected', async () => {
  const { owner, connection: coordinator } = await pretendCitus()
  const app = openDatabase(coordinator, { max: 1, applicationName: 'tallyroom tasks' })
  await sql`select`.execute(app.db)
  await expect(distribute(owner)).rejects.toThrow('The app is connected (tallyroom tasks)')
  await app.close()
})
