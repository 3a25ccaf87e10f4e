import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'

/** A file that is generated while it is sent. */
export class Download {
  /** Already started, so that refusals have been thrown. Must be consumed or returned. */
  readonly content: AsyncIterator<Buffer | string>
  readonly mediaType: string
  /** The file name: letters, digits, dots, hyphens and underscores. */
  readonly name: string

  constructor(parts: Pick<Download, 'content' | 'mediaType' | 'name'>) {
    if (!/^[\w.-]+$/.test(parts.name)) throw new RangeError(`no file name: ${parts.name}`)
    this.content = parts.content
    this.mediaType = parts.mediaType
    this.name = parts.name
  }
}

/**
 * Generates the file up to its first chunk, so that errors are thrown while a normal error answer is still
 * possible. Later errors close the connection, so that a truncated file does not look complete.
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

/** Minimum download rate, measured over the time spent waiting for the client. */
export type Pace = { bytes: number; ms: number }

/** 35 kB/s before compression, and never more than 30 s without progress. */
const leastPace: Pace = { bytes: 2 ** 20, ms: 30_000 }

/**
 * Streams the download with backpressure. A closed connection or a client that is too slow ends the generation,
 * as a download may hold a slot and a snapshot that others need. Time spent generating does not count.
 */
export function sendDownload(
  reply: FastifyReply,
  { content, mediaType, name }: Download,
  pace = leastPace,
) {
  void reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
  const paced = inPace(content, pace, () => file.destroy(new TooSlowError('client too slow')))
  const file = Readable.from({ [Symbol.asyncIterator]: () => paced }, { objectMode: false })
  return file
}

/** The client was too slow, so the connection is closed. */
class TooSlowError extends Error {
  override name = 'TooSlowError'
}

/** Calls `giveUp` when the accumulated waiting time exceeds what the client has earned by reading. */
function inPace(
  content: AsyncIterator<Buffer | string>,
  { bytes, ms }: Pace,
  giveUp: () => void,
): AsyncIterator<Buffer | string> {
  let leftMs = ms
  let offeredAt = 0
  let timer: NodeJS.Timeout | undefined

  function taken(): void {
    clearTimeout(timer)
    if (timer) leftMs -= performance.now() - offeredAt
  }

  return {
    async next() {
      taken()
      const result = await content.next()
      if (result.done) return result
      leftMs = Math.min(ms, leftMs + (result.value.length / bytes) * ms)
      offeredAt = performance.now()
      timer = setTimeout(giveUp, Math.max(0, leftMs))
      timer.unref()
      return result
    },
    async return() {
      taken()
      return (await content.return?.()) ?? { done: true, value: undefined }
    },
  }
}
