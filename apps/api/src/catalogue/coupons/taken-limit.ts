import { tooManyRequests } from '../../errors.ts'

/** Codes that an agent may be told to be taken, in an hour and by each process: else they would find out by trying which codes others have. */
const MOST_TAKEN = 10
const WINDOW_MS = 3_600_000

export type TakenLimit = {
  /** @throws TOO_MANY_REQUESTS if the account has had enough answers. */
  check(accountId: number, now: Date): void
  /** One more is taken. @throws TOO_MANY_REQUESTS instead of one answer too many: several may have been checked at once. */
  count(accountId: number, now: Date): void
}

export function makeTakenLimit(): TakenLimit {
  let windowEndMs = 0
  const taken = new Map<number, number>()
  const renew = (now: Date): number => {
    const nowMs = now.getTime()
    if (nowMs >= windowEndMs || windowEndMs - nowMs > WINDOW_MS) {
      windowEndMs = nowMs + WINDOW_MS
      taken.clear()
    }
    return windowEndMs - nowMs
  }
  const check = (accountId: number, now: Date): void => {
    const leftMs = renew(now)
    if ((taken.get(accountId) ?? 0) < MOST_TAKEN) return
    throw tooManyRequests(
      'Too many of the codes that you tried are taken. Please try again within the hour, or ask the network for a code.',
      Math.ceil(leftMs / 1000),
    )
  }
  return {
    check,
    count(accountId, now) {
      check(accountId, now)
      taken.set(accountId, (taken.get(accountId) ?? 0) + 1)
    },
  }
}
