import type { Random } from '../random.ts'

/** A version 7 UUID (RFC 9562): the instant, then random bits. */
export function uuidAt(ms: number, random: Random): string {
  const bytes = random.bytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
