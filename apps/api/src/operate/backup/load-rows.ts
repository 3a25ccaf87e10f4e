import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase, Pool } from 'pg'
import { type Connection, withSettings } from '../../db/connection.ts'
import { openDatabase } from '../../db/database.ts'
import {
  BackupError,
  type BackupReader,
  type BackupTable,
  backupTableSchema,
} from './backup-file.ts'
import { buildKeys, dropKeys, type Keys } from './keys.queries.ts'
import { insertRows } from './tables.queries.ts'

/**
 * Loads the rows of all tables, in the order of the file, on several sessions. The keys of large tables are dropped
 * first. They are built while later tables load. Every statement commits, so the caller marks the database before.
 *
 * @returns the number of rows.
 */
export async function loadInLanes(
  connection: Connection,
  reader: BackupReader,
  tables: readonly BackupTable[],
): Promise<number> {
  const lanes = Math.min(Math.max(availableParallelism(), 2), 4)
  const loaders = openLanes(connection, lanes, { synchronous_commit: 'off' })
  const builders = openLanes(connection, lanes, {
    synchronous_commit: 'off',
    maintenance_work_mem: '256MB',
  })
  const build = inTurns(builders.pool, lanes)
  const dropped: Keys[] = []
  const building: Promise<void>[] = []
  try {
    let rows = 0
    for (const { table } of tables) {
      const loaded = await loadTable(loaders.pool, reader, table)
      rows += loaded.rows
      if (loaded.keys === undefined) continue
      dropped.push(loaded.keys)
      const built = buildKeys(build, loaded.keys)
      built.catch(() => {}) // awaited below
      building.push(built)
    }
    await Promise.all(building)
    for (const statement of dropped.flatMap(({ foreign }) => foreign)) await build(statement)
    return rows
  } finally {
    await Promise.allSettled(building)
    await Promise.all([loaders.close(), builders.close()])
  }
}

/** Loads the rows of the next table, which must be `expected`, on one session and with its keys in place. */
export async function loadInOrder(
  session: ClientBase,
  reader: BackupReader,
  expected: string,
): Promise<number> {
  const table = await readDescription(reader, expected)
  return copyRows(session, table, reader.rows())
}

/** From this size on, a table's keys are dropped while it loads. Smaller ones take no time. */
const LARGE_BYTES = 4 * 1024 * 1024

async function loadTable(
  pool: Pool,
  reader: BackupReader,
  expected: string,
): Promise<{ rows: number; keys?: Keys }> {
  const table = await readDescription(reader, expected)
  const rows = wholeRows(reader.rows())
  const start = await readUpTo(rows, LARGE_BYTES)
  const all = chain(start.chunks, rows)
  if (start.ended)
    return { rows: await onSession(pool, (session) => copyRows(session, table, all)) }
  const keys = await onSession(pool, (session) => dropKeys(session, expected))
  // The sessions take turns: each reads the next chunk once it has sent its last one.
  const counts = await Promise.all(
    Array.from({ length: pool.options.max }, () =>
      onSession(pool, (session) => copyRows(session, table, all)),
    ),
  )
  return { rows: counts.reduce((sum, count) => sum + count, 0), keys }
}

async function readDescription(reader: BackupReader, expected: string): Promise<BackupTable> {
  const table = await reader.readJson(backupTableSchema)
  if (table.table !== expected) throw new BackupError(`The backup has no table ${expected}.`)
  return table
}

async function copyRows(
  session: ClientBase,
  table: BackupTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const copied = insertRows(session, table)
  await pipeline(Readable.from(rows), copied)
  return copied.rowCount
}

/** Frames may end within a row. In COPY's text format a row ends with the only bare line feed. */
async function* wholeRows(frames: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const frame of frames) {
    const end = frame.lastIndexOf('\n') + 1
    if (end > 0) yield Buffer.concat([rest, frame.subarray(0, end)])
    rest = end > 0 ? frame.subarray(end) : Buffer.concat([rest, frame])
  }
  if (rest.length > 0) yield rest
}

async function readUpTo(
  rows: AsyncGenerator<Buffer>,
  mostBytes: number,
): Promise<{ chunks: Buffer[]; ended: boolean }> {
  const chunks: Buffer[] = []
  for (let bytes = 0; bytes < mostBytes;) {
    const next = await rows.next()
    if (next.done) return { chunks, ended: true }
    chunks.push(next.value)
    bytes += next.value.length
  }
  return { chunks, ended: false }
}

async function* chain(start: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* start
  yield* rest
}

function openLanes(connection: Connection, max: number, settings: Record<string, string>) {
  return openDatabase(withSettings(connection, settings), {
    max,
    applicationName: 'tallyroom restore',
    asOwner: true,
  })
}

/** Runs statements on several sessions. The pool's own queue would time out. */
function inTurns(pool: Pool, lanes: number): (statement: string) => Promise<unknown> {
  const last: Promise<unknown>[] = Array.from({ length: lanes }, () => Promise.resolve())
  let turn = 0
  return (statement) => {
    const lane = turn++ % lanes
    return (last[lane] = Promise.resolve(last[lane]).then(() => pool.query(statement)))
  }
}

/** Runs `fn` on a session, which ends if it fails: that rolls back, and it may be in the middle of a COPY. */
export async function onSession<Result>(
  pool: Pool,
  fn: (session: ClientBase) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect()
  try {
    const result = await fn(session)
    session.release()
    return result
  } catch (error) {
    session.release(true)
    throw error
  }
}
