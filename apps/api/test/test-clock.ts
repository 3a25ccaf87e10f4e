import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import { expect } from 'vitest'
import { fixedClock, type FixedClock, movingClock } from '../src/lib/clock.ts'

/** Moving a millisecond with each reading, a clock shows where one act has two instants. `TEST_CLOCK=moving`: in all tests. */
export type ClockKind = 'standing' | 'moving'

const usual: ClockKind = process.env.TEST_CLOCK === 'moving' ? 'moving' : 'standing'

/** `iso` needs a time zone. */
export const testClock = (iso: string, kind: ClockKind = usual): FixedClock =>
  kind === 'moving' ? movingClock(iso) : fixedClock(iso)

const inTransactions = new AsyncLocalStorage<true>()
const { execute } = TransactionBuilder.prototype
TransactionBuilder.prototype.execute = function watched(work) {
  return execute.call(this, (tx) => inTransactions.run(true, () => work(tx))) as ReturnType<
    typeof work
  >
}

/** The clock for what is not in a transaction. A moving one can’t be read in one, where everything has its instant. */
export const outsideOfTransactions = (clock: FixedClock, kind: ClockKind = usual): FixedClock => ({
  ...clock,
  now() {
    if (kind === 'moving' && inTransactions.getStore())
      throw new Error('The clock is read in a transaction. Take tx.now.')
    return clock.now()
  },
})

/** Runs what another process does, while a transaction of the test is open. */
export const elsewhere = <T>(work: () => T): T => inTransactions.exit(work)

/** Less than a second from an instant, as a date or its ISO text. */
export const about = (instant: Date | string): unknown =>
  expect.toSatisfy(
    (at: Date | string) => Math.abs(new Date(at).getTime() - new Date(instant).getTime()) < 1000,
  )
