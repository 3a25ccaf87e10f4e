import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import { expect } from 'vitest'
import type { SettableClock } from '../src/lib/clock.ts'

const inTransactions = new AsyncLocalStorage<true>()
const { execute } = TransactionBuilder.prototype
TransactionBuilder.prototype.execute = function watched(work) {
  return execute.call(this, (tx) => inTransactions.run(true, () => work(tx))) as ReturnType<
    typeof work
  >
}

/** The clock for what is not in a transaction. In one, everything has its instant, so reading the clock throws. */
export function outsideOfTransactions(clock: SettableClock): SettableClock {
  return {
    ...clock,
    now() {
      if (inTransactions.getStore())
        throw new Error('The clock is read in a transaction. Take tx.now.')
      return clock.now()
    },
  }
}

/** Runs what another process does, while a transaction of the test is open. */
export const elsewhere = <T>(work: () => T): T => inTransactions.exit(work)

/** Less than a second from an instant, as a date or its ISO text. */
export const about = (instant: Date | string): unknown =>
  expect.toSatisfy(
    (at: Date | string) => Math.abs(new Date(at).getTime() - new Date(instant).getTime()) < 1000,
  )
