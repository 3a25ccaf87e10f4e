import type { FastifyReply } from 'fastify'
import { tooManyRequests } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'

const windowSeconds = 60

/** Counts a call of a token, and says so in the headers of its answer. @throws TOO_MANY_REQUESTS */
export type TokenLimit = (tokenId: number, reply: FastifyReply) => void

/**
 * Limits the calls of each token. The minute of a token begins with its first call. Per process, so that a call that only
 * reads writes nothing.
 */
export function makeTokenLimit(clock: Clock, mostAMinute: number): TokenLimit {
  const windows = new Map<number, { endMs: number; calls: number }>()
  let sweptAtMs = 0

  return (tokenId, reply) => {
    const nowMs = clock.now().getTime()
    const isOver = (endMs: number) => nowMs >= endMs || nowMs < endMs - windowSeconds * 1000
    if (Math.abs(nowMs - sweptAtMs) >= windowSeconds * 1000) {
      sweptAtMs = nowMs
      for (const [id, { endMs }] of windows) if (isOver(endMs)) windows.delete(id)
    }
    let window = windows.get(tokenId)
    if (!window || isOver(window.endMs)) {
      window = { endMs: nowMs + windowSeconds * 1000, calls: 0 }
      windows.set(tokenId, window)
    }
    window.calls += 1
    const seconds = Math.ceil((window.endMs - nowMs) / 1000)
    void reply.headers({
      'ratelimit-policy': `"token";q=${mostAMinute};w=${windowSeconds}`,
      ratelimit: `"token";r=${Math.max(0, mostAMinute - window.calls)};t=${seconds}`,
    })
    if (window.calls > mostAMinute)
      throw tooManyRequests(
        `This token may make ${mostAMinute} calls a minute. Please wait ${seconds} seconds.`,
        seconds,
      )
  }
}
