import { dayOf } from '@tallyroom/domain/new-york'
import {
  ADJUSTMENT_LIMITS,
  differsMuch,
  isAboveLimit,
  MOST_RATE_PERCENT,
} from '@tallyroom/domain/pay-limits'
import type { DbOrTx } from '../../db/database.ts'
import { findBegunAt } from '../../seals/index.ts'
import { type Calendar, openPeriods } from '../terms/calendar.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { rateBefore } from '../terms/rate-before.ts'
import {
  type AloneAdjustment,
  findAloneAdjustments,
  findApprovedLimits,
  findEnteredRates,
  findFailuresOfOne,
  findProposalDifferences,
} from './verify-proposals.queries.ts'

/**
 * Compares what two people decided with what it made, and finds acts above their limits that no second person approved.
 * What was done before there were proposals needed nobody.
 *
 * @param most how many findings of one kind are listed.
 */
export async function proposalFindings(
  db: DbOrTx,
  calendar: Calendar,
  most: number,
): Promise<string[]> {
  const begun = await findBegunAt(db, 'pay_proposals')
  // `verifySeals` says so.
  if (begun === undefined) return []
  const failures = await findFailuresOfOne(db, { after: begun, limit: most })
  return [
    ...(await findProposalDifferences(db, most)),
    ...(await adjustmentsAboveLimit(db, begun)).slice(0, most),
    ...(await ratesAboveLimit(db, calendar, begun)).slice(0, most),
    ...failures.map((one) => `The ${one}, entered by hand, ${NOBODY}`),
  ]
}

const NOBODY = 'needs a second person, and nobody approved it.'

/** Applies `createAdjustment`'s rule to each adjustment as of its place in the chain of seals, which is its commit's. */
async function adjustmentsAboveLimit(db: DbOrTx, begun: number): Promise<string[]> {
  const chosen = await findApprovedLimits(db)
  const byBalance = Map.groupBy(
    await findAloneAdjustments(db),
    ({ payee, currency }) => `${payeeText(payee)} ${currency}`,
  )
  return [...byBalance.values()].flatMap((adjustments) =>
    adjustments
      .filter((one) => {
        if (one.at <= begun) return false
        const earlier = adjustments.filter(
          ({ at, bookedAt }) => at < one.at && (bookedAt === null || one.at < bookedAt),
        )
        if (earlier.some((other) => undoes(one, other))) return false
        const limits = chosen.findLast(({ at }) => at < one.at)?.limits ?? ADJUSTMENT_LIMITS
        const counted = earlier.filter(
          (other) => !earlier.some((third) => undoes(other, third) || undoes(third, other)),
        )
        const sum = (sign: number) =>
          counted.reduce((total, { amount }) => total + Math.max(sign * amount, 0), 0)
        const limit = { limit: limits[one.currency], added: sum(1), subtracted: sum(-1) }
        return isAboveLimit(one.amount, limit)
      })
      .map(
        ({ id, payee }) =>
          `Adjustment ${id} of ${payeeText(payee)} is above its limit. It ${NOBODY}`,
      ),
  )
}

/** Whether somebody took their own adjustment back, as if it had never been. */
const undoes = (one: AloneAdjustment, other: AloneAdjustment): boolean =>
  one.oppositeOf === other.id && one.madeBy === other.madeBy

/** Applies `saveExchangeRate`'s rule to each exchange rate, with those that were entered before it. */
async function ratesAboveLimit(db: DbOrTx, calendar: Calendar, begun: number): Promise<string[]> {
  const rates = await findEnteredRates(db)
  // Each was entered for a period that had begun.
  const last = new Date(Math.max(0, ...rates.map(({ setAt }) => setAt.getTime())))
  const periods = [...calendar.closed, ...openPeriods(calendar, dayOf(last))]
  return rates.flatMap(({ id, period: name, pesosE4, approved, at }, index) => {
    const period = periods.find((one) => one.name === name)
    if (approved || at <= begun || !period) return []
    const entered = new Map(rates.slice(0, index).map((rate) => [rate.period, rate]))
    const before = rateBefore({ closed: [] }, entered, period, periods)
    if (!before || !differsMuch(pesosE4, before.pesosE4)) return []
    return [
      `Exchange rate ${id} of ${name} differs by more than ${MOST_RATE_PERCENT} % from that of ${before.period}. It ${NOBODY}`,
    ]
  })
}
