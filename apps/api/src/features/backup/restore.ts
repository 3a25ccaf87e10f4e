import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ClientBase, Pool } from 'pg'
import type { Connection } from '../../db/connection.ts'
import type { Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import type { Clock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { ensurePartitions } from '../clicks/index.ts'
import {
  backupEndSchema,
  BackupError,
  type BackupHead,
  backupHeadSchema,
  BackupReader,
  backupTableSchema,
} from './backup-file.ts'
import {
  analyze,
  begin,
  commit,
  emptyTables,
  findLastMigration,
  findTables,
  hasAccounts,
  insertRows,
  raiseIds,
} from './tables.queries.ts'

/** A database with the rights of its owner. */
export type OwnedDatabase = Pick<Database, 'db' | 'pool'> & { connection: Connection; clock: Clock }

/**
 * Fills a database that nobody has worked with from a backup: all of it, or nothing when the backup is not
 * whole. A backup of an older schema is brought to the newest.
 *
 * @throws BackupError when the database is in use, or the file is no whole backup or of a newer version.
 */
export async function restore(
  database: OwnedDatabase,
  path: string,
): Promise<{ head: BackupHead; rows: number }> {
  const file = createReadStream(path)
  const unpacked = createGunzip()
  // What goes wrong with the file reaches the reader as the end of its frames.
  pipeline(file, unpacked).catch(() => {})
  const reader = new BackupReader(unpacked)
  const head = await reader.readJson(backupHeadSchema)
  await provideSchema(database, head)
  const rows = await readDatabase(database, reader)
  await migrate(database.connection, silentLog)
  await withSession(database.pool, analyze)
  return { head, rows }
}

async function withSession<Result>(
  pool: Pool,
  fn: (session: ClientBase) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect()
  try {
    return await fn(session)
  } finally {
    session.release()
  }
}

/** The empty tables of the backup's schema, with partitions for its clicks. */
async function provideSchema(
  { db, pool, connection, clock }: OwnedDatabase,
  { lastMigration, firstClickDay }: BackupHead,
): Promise<void> {
  let reached = await withSession(pool, findUnusedSchema)
  if (reached !== undefined && reached > lastMigration)
    throw new BackupError(
      'The database has a newer schema than the backup. Restore into one that was just created.',
    )
  if (reached !== lastMigration)
    reached = await migrate(connection, silentLog, { upTo: lastMigration })
  if (reached !== lastMigration)
    throw new BackupError('The backup is of a newer version: restore it with that.')
  await ensurePartitions(db, clock, firstClickDay === null ? {} : { from: firstClickDay })
}

/** The newest migration of a database that nobody works with; undefined when it has no schema. */
async function findUnusedSchema(session: ClientBase): Promise<string | undefined> {
  const last = await findLastMigration(session)
  if (last !== undefined && (await hasAccounts(session)))
    throw new BackupError('The database is in use. Restore into an empty one.')
  return last
}

async function readDatabase({ pool }: OwnedDatabase, reader: BackupReader): Promise<number> {
  const session = await pool.connect()
  try {
    await begin(session)
    const tables = await findTables(session)
    await emptyTables(session, tables)
    let rows = 0
    for (const expected of tables) rows += await readTable(session, reader, expected.table)
    const end = await reader.readJson(backupEndSchema)
    await reader.expectEnd()
    if (end.rows !== rows) throw new BackupError('The backup has lost rows.')
    await raiseIds(session)
    await commit(session)
    session.release()
    return rows
  } catch (error) {
    // Ending the session undoes what it did.
    session.release(true)
    throw error
  }
}

async function readTable(
  session: ClientBase,
  reader: BackupReader,
  expected: string,
): Promise<number> {
  const table = await reader.readJson(backupTableSchema)
  if (table.table !== expected) throw new BackupError(`The backup has no table ${expected}.`)
  const copied = insertRows(session, table)
  await pipeline(Readable.from(reader.rows()), copied)
  return copied.rowCount
}
