import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import type { Connection } from '../../db/connection.ts'
import type { Database } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { createMigrationRecord, isHalfRestored, migrate } from '../../db/migrate.ts'
import { onlyOneRun } from '../../db/only-one.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { holdWhatWaits } from '../../desk/index.ts'
import { silentLog } from '../../lib/log/log.ts'
import { fillSettlements } from '../../pay/index.ts'
import type { Reach } from '../../lib/log/progress.ts'
import { ensurePartitions } from '../../tracking/index.ts'
import { beginSeals } from '../../seals/index.ts'
import {
  backupEndSchema,
  BackupError,
  type BackupHead,
  backupHeadSchema,
  BackupReader,
} from './backup-file.ts'
import { loadInLanes, onSession } from './load-rows.ts'
import {
  analyze,
  begin,
  commit,
  dropEverything,
  emptyTables,
  findLastMigration,
  findTables,
  hasAccounts,
  markHalfRestored,
  raiseIds,
  raisePayEpoch,
} from './tables.queries.ts'

/** A database with the owner's rights. */
export type OwnedDatabase = Pick<Database, 'db' | 'pool'> & { connection: Connection; clock: Clock }

/** A database to restore to, and how. */
export type Restorable = OwnedDatabase & {
  restoring: {
    load: Load
    /** The app's tables. A database that has others is not restored to. */
    tables: readonly string[]
  }
}

/** Brings the rows of a backup into an unused database: on one server, or on the machines of a cluster. Returns their number. */
export type Load = (restoring: {
  database: OwnedDatabase
  reader: BackupReader
  /** Whether a restore before this one did not finish. */
  isHalf: boolean
  /**
   * The newest migration of an unused database; undefined if it has none.
   * @throws BackupError if the database is in use, or its schema is newer than the backup's.
   */
  findUnusedSchema: () => Promise<string | undefined>
  /** Marks the database as half restored, and creates the tables of the backup's schema, with partitions for its clicks. */
  provideSchema: () => Promise<void>
  /** Brings the rows to the newest schema and removes the mark of a half restored database. Call it last. */
  finish: () => Promise<void>
}) => Promise<number>

/**
 * Restores a backup to an unused database, completely or not at all. Older backups are migrated to the newest
 * schema. From before its first change to the last step, the database is marked as half restored: if the process dies in
 * between, nothing starts on it, and the next restore starts over.
 *
 * @throws BackupError if the database is in use, or the file is incomplete or of a newer version.
 */
export async function restore(
  database: Restorable,
  path: string,
  reach?: Reach,
): Promise<{ head: BackupHead; rows: number }> {
  const file = createReadStream(path)
  const unpacked = createGunzip()
  // Errors in the file reach the reader as an early end of its frames.
  pipeline(file, unpacked).catch(() => {})
  const reader = new BackupReader(unpacked)
  const head = await reader.readJson(backupHeadSchema)
  const { size } = await stat(path)
  const timer = setInterval(() => reach?.(...readSoFar(file.bytesRead, size)), REACH_MS).unref()
  const rows = await onlyOneRun(database.db, locks.restore, () =>
    restoreRows(database, head, reader),
  ).finally(() => clearInterval(timer))
  if (rows === 'busy') throw new BackupError('Another restore is running.')
  return { head, rows }
}

const REACH_MS = 250

const readSoFar = (bytes: number, size: number): Parameters<Reach> => [
  Math.floor(bytes / 1_000_000),
  Math.ceil(size / 1_000_000),
  bytes < size ? 'MB' : 'MB, building indexes',
]

async function restoreRows(
  database: Restorable,
  head: BackupHead,
  reader: BackupReader,
): Promise<number> {
  const { db, pool, connection, clock, restoring } = database
  return restoring.load({
    database,
    reader,
    isHalf: await isHalfRestored(db),
    findUnusedSchema: () =>
      onSession(pool, (session) => findUnusedSchema(session, head, restoring.tables)),
    provideSchema: () => provideSchema(database, head),
    async finish() {
      await migrate(connection, silentLog, { restoring: true })
      await fillSettlements({ db })
      // Of a backup from before seals, what was restored is sealed as found, before anything changes.
      await beginSeals({ db })
      await inTransaction(db, (tx) => raisePayEpoch(tx, tx.now))
      await holdWhatWaits(db, clock.now())
      await onSession(pool, analyze)
      await onSession(pool, (session) => markHalfRestored(session, false))
    },
  })
}

/** Several sessions load tables whose keys are made afterwards. If that fails, the database is emptied. */
export const loadOnOneServer: Load = async (restoring) => {
  const { reader, isHalf, finish } = restoring
  const { pool, connection } = restoring.database
  if (isHalf) await onSession(pool, dropEverything)
  const former = await restoring.findUnusedSchema()
  try {
    await restoring.provideSchema()
    const tables = await onSession(pool, startLoading)
    const rows = await loadInLanes(connection, reader, tables)
    await expectEnd(reader, rows)
    await onSession(pool, raiseIds)
    await finish()
    return rows
  } catch (error) {
    await onSession(pool, dropEverything)
    if (former !== undefined) await migrate(connection, silentLog, { upTo: former })
    throw error
  }
}

async function provideSchema(
  { db, pool, connection, clock }: Restorable,
  { lastMigration, firstClickDay }: BackupHead,
): Promise<void> {
  const former = await onSession(pool, findLastMigration)
  if (former === undefined) await createMigrationRecord(db)
  await onSession(pool, (session) => markHalfRestored(session, true))
  const reached =
    former === lastMigration
      ? former
      : await migrate(connection, silentLog, { upTo: lastMigration, restoring: true })
  if (reached !== lastMigration)
    throw new BackupError('The backup is of a newer version. Restore it with that version.')
  await ensurePartitions(db, clock, firstClickDay === null ? {} : { from: firstClickDay })
}

async function findUnusedSchema(
  session: ClientBase,
  { lastMigration }: BackupHead,
  own: readonly string[],
): Promise<string | undefined> {
  const last = await findLastMigration(session)
  if (last !== undefined && (await hasAccounts(session)))
    throw new BackupError('The database is in use. Restore to an empty one.')
  const foreign = (await findTables(session)).find(({ table }) => !own.includes(table))
  if (foreign !== undefined)
    throw new BackupError(
      `The database has a table that is not of this app, ${foreign.table}. Restore to an empty database.`,
    )
  if (last !== undefined && last > lastMigration)
    throw new BackupError(
      'The database has a newer schema than the backup. Restore to a newly created one.',
    )
  return last
}

async function startLoading(session: ClientBase) {
  await begin(session)
  const tables = await findTables(session)
  await emptyTables(session, tables)
  await commit(session)
  return tables
}

/** @throws BackupError */
export async function expectEnd(reader: BackupReader, rows: number): Promise<void> {
  const end = await reader.readJson(backupEndSchema)
  await reader.expectEnd()
  if (end.rows !== rows) throw new BackupError('The backup is missing rows.')
}
