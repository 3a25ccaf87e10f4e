import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { constants, crc32, createDeflateRaw } from 'node:zlib'

/** A file in a ZIP archive, generated while it is written. */
export type ZipEntry = { name: string; content: AsyncIterable<string> }

/**
 * Streams a ZIP archive of the entries, compressed, without buffering them. Neither an entry nor the archive
 * may exceed 4 GB (APPNOTE 4.3, without ZIP64).
 *
 * @throws RangeError if one does. The output so far is then not a valid archive.
 */
export async function* zipFile(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const nameBytes = Buffer.from(name)
    const head = localHeader(nameBytes, STREAMED)
    yield head
    const sizes = { crc: 0, plain: 0, packed: 0 }
    yield* deflated(content, sizes)
    if (sizes.plain > MAX_BYTES) throw new RangeError(`${name} is too large for a ZIP file`)
    const tail = descriptor(sizes)
    yield tail
    directory.push(directoryEntry(nameBytes, STREAMED, sizes, offset))
    offset += head.length + sizes.packed + tail.length
  }
  const list = Buffer.concat(directory)
  if (offset + list.length > MAX_BYTES) throw new RangeError('the ZIP file is too large')
  yield list
  yield directoryEnd(directory.length, list.length, offset)
}

/** A ZIP archive of entries that are stored as they are, so that equal entries give equal bytes, by every release. */
export function storedZip(entries: readonly { name: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const nameBytes = Buffer.from(name)
    const sizes = { crc: crc32(bytes), plain: bytes.length, packed: bytes.length }
    const head = localHeader(nameBytes, AS_IT_IS, sizes)
    parts.push(head, bytes)
    directory.push(directoryEntry(nameBytes, AS_IT_IS, sizes, offset))
    offset += head.length + bytes.length
  }
  const list = Buffer.concat(directory)
  return Buffer.concat([...parts, list, directoryEnd(directory.length, list.length, offset)])
}

type Sizes = { crc: number; plain: number; packed: number }

const MAX_BYTES = 0xffff_ffff

/** Compressed in zlib's threads, with backpressure. */
async function* deflated(content: AsyncIterable<string>, sizes: Sizes): AsyncGenerator<Buffer> {
  // Tables are so repetitive that more effort gains a tenth at three times the cost.
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED })
  const fed = pipeline(measured(content, sizes), deflate)
  // `deflate` throws the same error.
  fed.catch(() => undefined)
  try {
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      sizes.packed += chunk.length
      yield chunk
    }
  } finally {
    if (!deflate.closed) await once(deflate, 'close')
    await fed.catch(() => undefined)
  }
}

async function* measured(content: AsyncIterable<string>, sizes: Sizes): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    sizes.crc = crc32(bytes, sizes.crc)
    sizes.plain += bytes.length
    yield bytes
  }
}

/** How an entry is stored. Names are UTF-8 (bit 11). */
type Way = { flags: number; method: number }
/** Deflated; its sizes follow the content (bit 3). */
const STREAMED: Way = { flags: 0x0808, method: 8 }
const AS_IT_IS: Way = { flags: 0x0800, method: 0 }
const VERSION = 20
/** 1980-01-01, the earliest possible date, so that equal tables give equal files. */
const DATE = 0x21

function localHeader(name: Buffer, { flags, method }: Way, sizes?: Sizes): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt16LE(DATE, 12)
  if (sizes) writeSizes(header, sizes, 14)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor(sizes: Sizes): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x0807_4b50, 0)
  writeSizes(bytes, sizes, 4)
  return bytes
}

function writeSizes(to: Buffer, { crc, packed, plain }: Sizes, at: number): void {
  for (const [index, size] of [crc, packed, plain].entries()) to.writeUInt32LE(size, at + 4 * index)
}

function directoryEntry(
  name: Buffer,
  { flags, method }: Way,
  sizes: Sizes,
  offset: number,
): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x0201_4b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt16LE(DATE, 14)
  writeSizes(entry, sizes, 16)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

function directoryEnd(entries: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
