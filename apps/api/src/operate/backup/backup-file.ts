import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'

/**
 * The backup format before compression: frames, each with a four-byte length. First the head. Then, for each
 * table, its description, its rows in PostgreSQL's COPY format, and an empty frame. Last the end frame, which
 * only a complete backup has. Head, descriptions and end are JSON.
 */
export const backupHeadSchema = z.object({
  format: z.literal('tallyroom-backup-1'),
  /** ISO 8601. Everything committed before it is included. */
  takenAt: z.iso.datetime(),
  /** The schema version: the last migration. */
  lastMigration: z.string(),
  /** The New York day of the oldest click; null if there are none. */
  firstClickDay: z.string().nullable(),
})
export type BackupHead = z.infer<typeof backupHeadSchema>

export const backupTableSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
export type BackupTable = z.infer<typeof backupTableSchema>

export const backupEndSchema = z.object({ end: z.literal(true), rows: z.int() })

/** An error that the operator can fix. The message is for them. */
export class BackupError extends OperatorError {
  override name = 'BackupError'
}

export async function writeFrame(to: Writable, content: Buffer): Promise<void> {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  to.write(length)
  if (!to.write(content)) await once(to, 'drain')
}

export const writeJson = (
  to: Writable,
  value: BackupHead | BackupTable | { end: true; rows: number },
) => writeFrame(to, Buffer.from(JSON.stringify(value)))

/** An empty frame, which ends a table's rows. */
export const writeEndOfRows = (to: Writable) => writeFrame(to, Buffer.alloc(0))

/** Reads the frames of a backup one by one. */
export class BackupReader {
  #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(from: Readable) {
    this.#chunks = from[Symbol.asyncIterator]()
  }

  /** @throws BackupError if the next frame does not match the schema. */
  async readJson<Value>(schema: z.ZodType<Value>): Promise<Value> {
    const text = (await this.#frame(mostJsonBytes)).toString('utf8')
    const parsed = schema.safeParse(parseJson(text))
    if (!parsed.success) throw notABackup()
    return parsed.data
  }

  /** The rows of the table described last. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const frame = await this.#frame(mostRowsBytes)
      if (frame.length === 0) return
      yield frame
    }
  }

  async expectEnd(): Promise<void> {
    if (this.#rest.length > 0 || !(await this.#next()).done) throw notABackup()
  }

  async #frame(mostBytes: number): Promise<Buffer> {
    const length = (await this.#take(4)).readUInt32BE()
    if (length > mostBytes) throw notABackup()
    return this.#take(length)
  }

  async #take(bytes: number): Promise<Buffer> {
    const parts = [this.#rest]
    let there = this.#rest.length
    while (there < bytes) {
      const next = await this.#next()
      if (next.done) throw new BackupError('The backup is truncated: its end is missing.')
      parts.push(next.value)
      there += next.value.length
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts)
    this.#rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#chunks.next()
    } catch (cause) {
      throw notABackup(cause)
    }
  }
}

const mostJsonBytes = 1024 * 1024
/** COPY sends one or a few rows at a time. The largest contain news or an image. */
const mostRowsBytes = 64 * 1024 * 1024

const notABackup = (cause?: unknown) =>
  new BackupError(
    `The file is not a backup, or it is damaged${cause instanceof Error ? ` (${cause.message})` : ''}.`,
    { cause },
  )

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
