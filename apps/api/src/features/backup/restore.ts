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
  raisePayEpoch,
} from './tables.queries.ts'

/** A database with the owner's rights. */
export type OwnedDatabase = Pick<Database, 'db' | 'pool'> & { connection: Connection; clock: Clock }

/**
 * Restores a backup to an unused database, completely or not at all. Older backups are migrated to the newest
 * schema.
 *
 * @throws BackupError if the database is in use, or the file is incomplete or of a newer version.
 */
export async function restore(
  database: OwnedDatabase,
  path: string,
): Promise<{ head: BackupHead; rows: number }> {
  const file = createReadStream(path)
  const unpacked = createGunzip()
  // Errors of the file reach the reader as the end of its frames.
  pipeline(file, unpacked).catch(() => {})
  const reader = new BackupReader(unpacked)
  const head = await reader.readJson(backupHeadSchema)
  await provideSchema(database, head)
  const rows = await readDatabase(database, reader)
  await migrate(database.connection, silentLog)
  await withSession(database.pool, (session) => raisePayEpoch(session, database.clock.now()))
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

/** Creates the empty tables of the backup's schema, with partitions for its clicks. */
async function provideSchema(
  { db, pool, connection, clock }: OwnedDatabase,
  { lastMigration, firstClickDay }: BackupHead,
): Promise<void> {
  let reached = await withSession(pool, findUnusedSchema)
  if (reached !== undefined && reached > lastMigration)
    throw new BackupError(
      'The database has a newer schema than the backup. Restore to a newly created one.',
    )
  if (reached !== lastMigration)
    reached = await migrate(connection, silentLog, { upTo: lastMigration })
  if (reached !== lastMigration)
    throw new BackupError('The backup is of a newer version. Restore it with that version.')
  await ensurePartitions(db, clock, firstClickDay === null ? {} : { from: firstClickDay })
}

/** The newest migration of an unused database; undefined if it has no schema. */
async function findUnusedSchema(session: ClientBase): Promise<string | undefined> {
  const last = await findLastMigration(session)
  if (last !== undefined && (await hasAccounts(session)))
    throw new BackupError('The database is in use. Restore to an empty one.')
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
    if (end.rows !== rows) throw new BackupError('The backup is missing rows.')
    await raiseIds(session)
    await commit(session)
    session.release()
    return rows
  } catch (error) {
    // Ending the session rolls back.
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
