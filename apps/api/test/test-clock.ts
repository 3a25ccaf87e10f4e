import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import { expect } from 'vitest'
import { fixedClock, type FixedClock, movingClock } from '../src/lib/clock.ts'

/**
 * Rooms whose tests have a moving clock, which shows where one act has two instants: it is a millisecond later with each
 * reading, and can’t be read in a transaction, where everything has its instant. Tests of the other rooms compare times to
 * the millisecond. `TEST_CLOCK=moving` moves all.
 */
const MOVING = /\/src\/(desk|pay|people)\//

const isMoving = (): boolean =>
  process.env['TEST_CLOCK'] === 'moving' || MOVING.test(expect.getState().testPath ?? '')

/** The clock of the test file that is being loaded or run. `iso` needs a time zone. */
export const testClock = (iso: string): FixedClock =>
  isMoving() ? movingClock(iso) : fixedClock(iso)

const inTransactions = new AsyncLocalStorage<true>()
const { execute } = TransactionBuilder.prototype
TransactionBuilder.prototype.execute = function watched(work) {
  return execute.call(this, (tx) => inTransactions.run(true, () => work(tx))) as ReturnType<
    typeof work
  >
}

/** The clock for what is not in a transaction. */
export function outsideOfTransactions(clock: FixedClock): FixedClock {
  if (!isMoving()) return clock
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
