import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import type { Database } from '../../db/database.ts'
import { findPlacements } from '../../db/citus/placements.ts'
import { HalfRestoredError, isHalfRestored } from '../../db/migrate.ts'
import type { Clock } from '../../lib/clock.ts'
import { exists, syncToDisk } from '../../lib/disk.ts'
import type { Reach } from '../../lib/log/progress.ts'
import { BackupError, writeEndOfRows, writeFrame, writeJson } from './backup-file.ts'
import {
  beginSnapshot,
  findFirstClickDay,
  findLastMigration,
  findSizes,
  findTables,
  readRows,
  rollback,
} from './tables.queries.ts'

/**
 * Writes a snapshot of the whole database to one file while the app keeps running. The file gets its name once
 * it is complete and flushed. Only its owner may read it.
 *
 * @param pool with the rights of the schema owner.
 * @throws BackupError if the file exists or cannot be written, or if the database is empty.
 * @throws HalfRestoredError
 */
export async function backup(
  { db, pool, clock }: Pick<Database, 'db' | 'pool'> & { clock: Clock },
  path: string,
  reach?: Reach,
): Promise<{ rows: number; bytes: number }> {
  if (await isHalfRestored(db)) throw new HalfRestoredError()
  const placements = await findPlacements(db)
  if (await exists(path)) throw new BackupError(`${path} already exists.`)
  const partPath = `${path}.part`
  const part = await open(partPath, 'wx', 0o600).catch((cause: unknown) => {
    throw new BackupError(`${partPath} can’t be created: ${String(cause)}`, { cause })
  })
  const session = await pool.connect()
  try {
    const compressed = createGzip({ level: 4 })
    const [rows] = await Promise.all([
      writeDatabase(session, clock, compressed, reach).catch((error: unknown) => {
        compressed.destroy()
        throw error
      }),
      pipeline(compressed, part.createWriteStream({ flush: true })),
    ])
    if (placements !== (await findPlacements(db)))
      throw new BackupError(
        'Shards of the cluster have moved meanwhile, so the backup may lack rows. Run it again when no rebalance is running.',
      )
    const { size } = await stat(partPath)
    await rename(partPath, path)
    await syncToDisk(dirname(path))
    session.release()
    return { rows, bytes: size }
  } catch (error) {
    session.release(true)
    await rm(partPath, { force: true })
    throw error
  }
}

/** @returns the number of rows. */
async function writeDatabase(
  session: ClientBase,
  clock: Clock,
  to: Writable,
  reach?: Reach,
): Promise<number> {
  await beginSnapshot(session)
  const lastMigration = await findLastMigration(session)
  if (lastMigration === undefined) throw new BackupError('The database is empty.')
  await writeJson(to, {
    format: 'tallyroom-backup-1',
    takenAt: clock.now().toISOString(),
    lastMigration,
    firstClickDay: await findFirstClickDay(session),
  })
  const sizes = await findSizes(session)
  const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  let rows = 0
  let before = 0
  for (const table of await findTables(session)) {
    const size = sizes.get(table.table) ?? 0
    let bytes = 0
    await writeJson(to, table)
    const copied = readRows(session, table)
    for await (const chunk of copied) {
      await writeFrame(to, chunk)
      bytes += chunk.length
      // A row takes more or less room in the file than on disk.
      reach?.(inMegabytes(before + Math.min(bytes, size)), inMegabytes(all), 'MB')
    }
    await writeEndOfRows(to)
    rows += copied.rowCount
    before += size
  }
  await rollback(session)
  await writeJson(to, { end: true, rows })
  to.end()
  return rows
}

const inMegabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000)
