import type { FastifyReply } from 'fastify'
import { barePolicy } from './secure-headers.ts'

/** A file as an answer. */
export class FileAnswer {
  readonly bytes: Buffer
  readonly mediaType: string
  /** The file name for saving, without quotes and control characters. */
  readonly name: string

  constructor({ bytes, mediaType, name }: { bytes: Buffer; mediaType: string; name: string }) {
    this.bytes = bytes
    this.mediaType = mediaType
    this.name = name
  }
}

/**
 * Sends a file whose URL contains its content hash: cached forever, without content sniffing, and sandboxed if
 * opened as a page.
 */
export function sendFile(reply: FastifyReply, { bytes, mediaType, name }: FileAnswer): Buffer {
  void reply
    .type(mediaType)
    .header('content-disposition', `inline; filename="${name}"`)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('content-security-policy', barePolicy('sandbox'))
    .header('x-content-type-options', 'nosniff')
  return bytes
}
