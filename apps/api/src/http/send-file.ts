import type { FastifyReply } from 'fastify'

/** A file as an answer. */
export class FileAnswer {
  readonly bytes: Buffer
  readonly mediaType: string
  /** What a browser calls it when it is saved. No quotes or control characters. */
  readonly name: string

  constructor({ bytes, mediaType, name }: { bytes: Buffer; mediaType: string; name: string }) {
    this.bytes = bytes
    this.mediaType = mediaType
    this.name = name
  }
}

/**
 * Sends a file whose address holds the hash of its content: kept for ever, taken for nothing but what it
 * is called, and as a page of its own without any rights.
 */
export function sendFile(reply: FastifyReply, { bytes, mediaType, name }: FileAnswer): Buffer {
  void reply
    .type(mediaType)
    .header('content-disposition', `inline; filename="${name}"`)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
  return bytes
}
