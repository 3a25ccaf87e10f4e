import { crc32, inflateRawSync } from 'node:zlib'

/** A file that is not what it claims to be, or that is too large. The message is a sentence for whoever chose it. */
export class BadFileError extends Error {}

/** Whether bytes begin as a ZIP file does. */
export const isZip = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === 0x04034b50

/**
 * The files in a ZIP file, by its directory (APPNOTE 4.3, without ZIP64 and encryption). Nothing is unpacked until it is
 * asked for, and then no more than `most` bytes in all: a small file can claim to hold terabytes.
 *
 * @throws BadFileError
 */
export function readZip(bytes: Buffer, most: number): (name: string) => Buffer | undefined {
  const entries = directoryOf(bytes)
  let left = most
  return (name) => {
    const entry = entries.get(name.toLowerCase())
    if (!entry) return undefined
    const { method, packed, crc } = entry
    if (method !== STORED && method !== DEFLATED)
      throw new BadFileError('it is encrypted or damaged')
    const plain = method === STORED ? packed : inflate(packed, left)
    left -= plain.length
    if (left < 0) throw tooLarge()
    if (crc32(plain) !== crc) throw new BadFileError('it is damaged')
    return plain
  }
}

type Entry = { method: number; packed: Buffer; crc: number }

const STORED = 0
const DEFLATED = 8
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const MOST_ENTRIES = 2_000

function directoryOf(bytes: Buffer): ReadonlyMap<string, Entry> {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end < 0 || end + END_BYTES > bytes.length) throw new BadFileError('it is damaged')
  const count = bytes.readUInt16LE(end + 10)
  if (count > MOST_ENTRIES) throw tooLarge()
  const entries = new Map<string, Entry>()
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > bytes.length) throw new BadFileError('it is damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    ) as [number, number, number]
    const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)
    const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1
    entries.set(name.toLowerCase(), {
      method: isEncrypted ? -1 : bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: packedAt(bytes, bytes.readUInt32LE(at + 42), bytes.readUInt32LE(at + 20)),
    })
    at += ENTRY_BYTES + nameLength + extraLength + commentLength
  }
  return entries
}

function packedAt(bytes: Buffer, header: number, length: number): Buffer {
  if (header + LOCAL_BYTES > bytes.length) throw new BadFileError('it is damaged')
  const from =
    header + LOCAL_BYTES + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  if (from + length > bytes.length) throw new BadFileError('it is damaged')
  return bytes.subarray(from, from + length)
}

function inflate(packed: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : new BadFileError('it is damaged')
  }
}

const tooLarge = () => new BadFileError('it is too large once it is unpacked')
