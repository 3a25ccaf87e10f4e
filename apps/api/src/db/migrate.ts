import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import type { Log } from '../lib/log/log.ts'
import type { Reach } from '../lib/log/progress.ts'
import { appRole, type Connection } from './connection.ts'
import { workInSequence } from './citus/layout.ts'
import { type Db, openDatabase } from './database.ts'
import { locks, takeLock } from './locks.ts'
import { errorCode, inPlainTransaction, isUnavailable } from './transaction.ts'
import { FinalError, OperatorError } from '../lib/operator-error.ts'

const migrationsDir = join(import.meta.dirname, '../../migrations')

/**
 * Migrates the database to the newest schema, as the owner in the URL. Each migration is one transaction. An
 * advisory lock makes concurrent processes wait and then find nothing to do.
 *
 * @param upTo the last migration to run; all by default.
 * @param restoring whether this is the restore that the database may be marked with.
 * @returns the last migration that this call ran.
 * @throws if a migration fails. Earlier ones stay committed.
 * @throws HalfRestoredError if the database is marked as such.
 */
export async function migrate(
  connection: Connection,
  log: Log,
  { upTo, restoring = false, reach }: { upTo?: string; restoring?: boolean; reach?: Reach } = {},
): Promise<string | undefined> {
  const database = openDatabase(connection, {
    max: 2,
    applicationName: 'tallyroom migrations',
    asOwner: true,
  })
  try {
    await refuseWorker(database.db)
    if (!restoring && (await isHalfRestored(database.db))) throw new HalfRestoredError()
    const migrator = new Migrator({ db: database.db, provider: sqlFiles(migrationsDir) })
    return await oneAtATime(database.db, async () => {
      const all = (await migrator.getMigrations()).filter(({ executedAt }) => !executedAt).length
      let last: string | undefined
      let done = 0
      while (last === undefined || last !== upTo) {
        if (all > 0) reach?.(done++, all, 'migrations')
        const migrated = await migrateOne(migrator, connection, log)
        if (migrated === undefined) break
        last = migrated
      }
      return last
    })
  } finally {
    await database.close()
  }
}

/** kysely takes its own lock too late: it reads the catalog first, which fails while another process migrates. */
const oneAtATime = <T>(db: Db, fn: () => Promise<T>): Promise<T> =>
  inPlainTransaction(db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await takeLock(tx, locks.schema)
    return fn()
  })

/** A restore to the database never finished. The message is for the operator. */
export class HalfRestoredError extends FinalError {
  override name = 'HalfRestoredError'

  constructor() {
    super('A restore to this database did not finish. Run it again, or use another database.')
  }
}

/** Creates the record of applied migrations in a database that has none, so that it can be marked. */
export async function createMigrationRecord(db: Db): Promise<void> {
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({}) },
  }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Whether a restore began and never finished. It marks the table of migrations with a comment. */
export async function isHalfRestored(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isMarked: boolean }>`
    select obj_description(to_regclass('kysely_migration'), 'pg_class') is not null as "isMarked"
  `.execute(db)
  return rows[0]?.isMarked === true
}

/** A worker has the tables, too, but not the record of applied migrations. */
async function refuseWorker(db: Db): Promise<void> {
  const { rows } = await sql<{ group: string | null }>`
    select to_regclass('pg_dist_local_group')::text as group
  `.execute(db)
  if (!rows[0]?.group) return
  const { rows: workers } = await sql`select from pg_dist_local_group where groupid <> 0`.execute(
    db,
  )
  if (workers.length > 0)
    throw new ConfigError([
      'DATABASE_URL names a worker of a Citus cluster. It must name the coordinator.',
    ])
}

async function migrateOne(
  migrator: Migrator,
  connection: Connection,
  log: Log,
): Promise<string | undefined> {
  const { error, results } = await migrator.migrateUp()
  if (error !== undefined) throw explain(error, results?.at(-1)?.migrationName, connection)
  const done = results?.[0]?.migrationName
  if (done !== undefined) log.info({ migration: done }, 'migrated the database')
  return done
}

/** All `NNNN_name.sql` files of a folder. kysely runs them in name order. */
function sqlFiles(dir: string): MigrationProvider {
  return {
    async getMigrations() {
      const files = (await readdir(dir)).filter((name) => name.endsWith('.sql'))
      return Object.fromEntries(
        files.map((name) => [name.slice(0, -'.sql'.length), sqlFile(join(dir, name))]),
      )
    },
  }
}

function sqlFile(path: string): Migration {
  return {
    async up(tx) {
      await workInSequence(tx)
      // One by one, because Citus forwards the whole query text to its workers, for example for `create index`.
      for (const statement of statementsOf(await readFile(path, 'utf8')))
        await sql.raw(statement).execute(tx)
    },
  }
}

const token =
  /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[^]*?\1|;|[^-/'"$;]+|[^]/g

/** The statements of an SQL text. It must not nest comments, nor use `E''` strings or `begin atomic`. */
export function statementsOf(text: string): string[] {
  const statements = ['']
  for (const [part] of text.matchAll(token)) {
    if (part === ';') statements.push('')
    else if (!/^(--|\/\*)/.test(part)) statements.push((statements.pop() ?? '') + part)
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

function explain(error: unknown, migration: string | undefined, connection: Connection): Error {
  // It says enough by itself, and whoever waits for the database knows it.
  if (error instanceof Error && isUnavailable(error)) return error
  const step = migration ? `Migration ${migration} failed` : 'The migrations failed'
  const reason = error instanceof Error ? error.message : String(error)
  const advice = errorCode(error) === '42501' ? `\n${adviseOnRights(connection)}` : ''
  const message = `${step}: ${reason}${advice}`
  return new (advice ? OperatorError : Error)(message, { cause: error })
}

function adviseOnRights({ url }: Connection): string {
  const { username, pathname } = new URL(url)
  const user = `"${decodeURIComponent(username)}"`
  const database = `"${decodeURIComponent(pathname.slice(1))}"`
  return [
    `The user ${user} lacks a right. A database administrator can grant it permanently:`,
    `  create role ${appRole} nologin; -- unless it already exists`,
    `  grant ${appRole} to ${user};`,
    `  alter database ${database} owner to ${user};`,
  ].join('\n')
}
