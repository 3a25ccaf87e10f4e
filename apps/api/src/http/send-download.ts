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

/** What must be taken of a file in each span of time that it waits for whoever takes it. */
export type Pace = { bytes: number; ms: number }

/** 35 kB a second, before compression; nothing for half a minute is too slow in any case. */
const leastPace: Pace = { bytes: 2 ** 20, ms: 30_000 }

/**
 * Sends it no faster than it is taken; whoever hangs up ends the making, and so does whoever takes it too slowly:
 * a file may hold a place and a snapshot that others wait for. The time that making it takes is not counted.
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
  const paced = inPace(content, pace, () => file.destroy(new TooSlowError('taken too slowly')))
  const file = Readable.from({ [Symbol.asyncIterator]: () => paced }, { objectMode: false })
  return file
}

/** Whoever takes a file did so too slowly: the connection is cut. */
class TooSlowError extends Error {
  override name = 'TooSlowError'
}

/** Calls `giveUp` when the time between pieces, beyond what was earned by taking them, is used up. */
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
