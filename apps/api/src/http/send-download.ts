import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'

/** A file that is made while it is sent. */
export class Download {
  /** Begun already: what is refused was refused before. It must be taken, or returned. */
  readonly content: AsyncIterator<Buffer | string>
  readonly mediaType: string
  /** What a browser saves it as. Letters, digits, dots, hyphens and underscores. */
  readonly name: string

  constructor(parts: Pick<Download, 'content' | 'mediaType' | 'name'>) {
    if (!/^[\w.-]+$/.test(parts.name)) throw new RangeError(`no file name: ${parts.name}`)
    this.content = parts.content
    this.mediaType = parts.mediaType
    this.name = parts.name
  }
}

/**
 * Begins to make a file, up to its first piece. What can't be made is so thrown while there still can be another
 * answer; later the connection is cut, so that half a file does not look like a whole one.
 */
export async function begun<T>(content: AsyncIterator<T>): Promise<AsyncIterator<T>> {
  let first: IteratorResult<T> | undefined = await content.next()
  return {
    next: async () => {
      const result = first ?? (await content.next())
      first = undefined
      return result
    },
    return: async () => (await content.return?.()) ?? { done: true, value: undefined },
  }
}

/** Sends it no faster than it is taken; whoever hangs up ends the making. */
export function sendDownload(reply: FastifyReply, { content, mediaType, name }: Download) {
  void reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
  return Readable.from({ [Symbol.asyncIterator]: () => content }, { objectMode: false })
}
