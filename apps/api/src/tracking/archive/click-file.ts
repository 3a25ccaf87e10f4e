import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  asyncBufferFromFile,
  type Compressors,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet'
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { z } from 'zod'
import { syncToDisk } from '../../lib/disk.ts'

/**
 * A click as it is in the file: the columns of `clicks`, its site, and whether it is counted. `ip` and `subs` are in
 * PostgreSQL's text form, which other tools can read and which restores exactly.
 */
const archivedClickSchema = z.object({
  clicked_at: z.date(),
  agent_id: z.int(),
  type_id: z.int(),
  site_id: z.int(),
  office_id: z.int(),
  nonce: z.int(),
  is_unique: z.boolean(),
  counted: z.boolean(),
  uncounted: z.string().nullable(),
  ip: z.string(),
  referrer_id: z.bigint().transform(Number).nullable(),
  user_agent_id: z.bigint().transform(Number).nullable(),
  subs: z.string().nullable(),
})
export type ArchivedClick = z.output<typeof archivedClickSchema>

const rowsSchema = z.array(archivedClickSchema)

const COLUMNS = [
  { name: 'clicked_at', type: 'TIMESTAMP', nullable: false },
  { name: 'agent_id', type: 'INT32', nullable: false },
  { name: 'type_id', type: 'INT32', nullable: false },
  { name: 'site_id', type: 'INT32', nullable: false },
  { name: 'office_id', type: 'INT32', nullable: false },
  { name: 'nonce', type: 'INT32', nullable: false },
  { name: 'is_unique', type: 'BOOLEAN', nullable: false },
  { name: 'counted', type: 'BOOLEAN', nullable: false },
  { name: 'uncounted', type: 'STRING', nullable: true },
  { name: 'ip', type: 'STRING', nullable: false },
  { name: 'referrer_id', type: 'INT64', nullable: true },
  { name: 'user_agent_id', type: 'INT64', nullable: true },
  { name: 'subs', type: 'STRING', nullable: true },
] as const

/** The number of clicks in memory at a time. */
const CLICKS_OF_GROUP = 50_000

/** What a file contains. The hash is over the rows in order, independent of compression. */
export type Content = { clicks: number; contentSha256: string }

/** Writes a file that only its owner may read, and flushes it to disk. Replaces what is there. */
export async function writeClickFile(
  path: string,
  chunks: AsyncIterable<readonly ArchivedClick[]>,
): Promise<Content> {
  await rm(path, { force: true })
  await writeFile(path, '', { mode: 0o600 })
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({
      columnData: COLUMNS.map((column) => ({ ...column, data: [] })),
    }),
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    createdBy: 'Tallyroom',
  })
  const content = new ContentHash()
  let group: ArchivedClick[] = []
  async function writeGroup(): Promise<void> {
    await file.write({ columnData: columnsOf(group), rowGroupSize: CLICKS_OF_GROUP })
    group = []
  }
  for await (const clicks of chunks) {
    content.add(clicks)
    for (const click of clicks) {
      group.push(click)
      if (group.length === CLICKS_OF_GROUP) await writeGroup()
    }
  }
  if (group.length > 0) await writeGroup()
  await file.finish()
  await syncToDisk(path)
  return content.digest()
}

const columnsOf = (clicks: readonly ArchivedClick[]) =>
  COLUMNS.map(({ name, type }) => ({
    name,
    offsetIndex: false,
    ...(name === 'clicked_at' && { encoding: 'DELTA_BINARY_PACKED' as const }),
    data: clicks.map((click) => {
      const value = click[name]
      return type === 'INT64' && typeof value === 'number' ? BigInt(value) : value
    }),
  }))

/**
 * Reads a file one group at a time. If `content` is given, it describes what was read once the end
 * is reached.
 * @throws if it is not a file of clicks, or is damaged in a way that Parquet detects.
 */
export async function* readClickFile(
  path: string,
  content?: ContentHash,
): AsyncGenerator<ArchivedClick[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows)
    const read = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors })
    const clicks = rowsSchema.parse(read)
    content?.add(clicks)
    yield clicks
    rowStart = rowEnd
  }
}

const compressors: Compressors = { ZSTD: (input) => zstdDecompressSync(input) }

/** Counts and hashes clicks in the order given. */
export class ContentHash {
  #hash = createHash('sha256')
  #clicks = 0

  add(clicks: readonly ArchivedClick[]): void {
    const lines = clicks.map((click) => JSON.stringify(COLUMNS.map(({ name }) => click[name])))
    this.#hash.update(lines.map((line) => `${line}\n`).join(''))
    this.#clicks += clicks.length
  }

  digest(): Content {
    return { clicks: this.#clicks, contentSha256: this.#hash.digest('hex') }
  }
}

/** The file's own hash, in hex, and its size. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size }
}
