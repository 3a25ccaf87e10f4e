import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'

/** A body as it was before its sender compressed it, or why it can't be had. */
export type Unpacked = Buffer | { kind: 'unreadable'; reason: string; status: 400 | 413 | 415 }

/** What a body may have unpacked, as without compression: 1 MB. */
export const MAX_BODY_BYTES = 1024 * 1024

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

const isKnown = (encoding: string): encoding is keyof typeof unpackers =>
  Object.hasOwn(unpackers, encoding)

const rawInflate = promisify(inflateRaw)

/** Some senders leave out what `deflate` has around it by its standard: its first byte says which. */
const isBare = (body: Buffer): boolean => ((body[0] ?? 0) & 0x0f) !== 8

/**
 * Unpacks a body. It stops at the limit, whatever was packed into the body.
 *
 * @param encoding the header `content-encoding`; may be empty.
 */
export async function unpack(body: Buffer, encoding: string): Promise<Unpacked> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  if (!isKnown(name)) {
    const reason = `The content encoding ${encoding.trim().slice(0, 40)} is not read. Use gzip, deflate, br or none.`
    return { kind: 'unreadable', reason, status: 415 }
  }
  const run = name === 'deflate' && isBare(body) ? rawInflate : unpackers[name]
  try {
    return await run(body, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    return isTooLarge(error)
      ? { kind: 'unreadable', reason: 'The body is larger than 1 MB unpacked.', status: 413 }
      : { kind: 'unreadable', reason: `The body is not valid ${name}.`, status: 400 }
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
