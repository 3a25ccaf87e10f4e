import { createHash } from 'node:crypto'

/** The first 52 bits of the text's SHA-256. */
export function textId(text: string): number {
  const hash = createHash('sha256').update(text).digest()
  return hash.readUIntBE(0, 6) * 16 + (hash.readUInt8(6) >>> 4)
}
