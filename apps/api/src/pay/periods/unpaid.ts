import { dayOf } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import { withheldOf } from '@tallyroom/domain/withholding'
import type { Tx } from '../../db/database.ts'
import { findAdvances } from './advances.queries.ts'
import { type BalanceKey, balanceText, findBalances } from './balances.queries.ts'
import { findLastEvent } from './book-events.queries.ts'
import { findCalendar, openUntilSunday } from './calendar.ts'
import { paidByParts } from './earned.ts'
import { findOpenParts } from './open-parts.ts'
import { findTaxRules } from './tax-rates.ts'

/**
 * The money that deleting an agent would lose, by payee and currency, without sums of nothing: what closing would pay for
 * their sales and adjustments, less the tax on it, and their own balance. Nothing while pay is off.
 */
export async function findUnpaid(
  tx: Tx,
  agentId: number,
): Promise<(BalanceKey & { amount: number })[]> {
  const calendar = await findCalendar(tx)
  if (!calendar) return []
  // Not until now: a clock may have been set back, or a merchant's may be ahead.
  const last = await findLastEvent(tx, agentId)
  const { startedAt } = calendar.state
  const taxRuleOn = await findTaxRules(tx)
  const closingAt = async (at: Date, sign: 1 | -1) => {
    const found = await findOpenParts(tx, {
      calendar,
      periods: openUntilSunday(calendar, dayOf(last.soldAt ?? startedAt)),
      now: at,
      whose: { agentIds: [agentId] },
    })
    return found.flatMap(({ period, parts }) =>
      parts.flatMap((one) => {
        const paid = paidByParts(one)
        const rule = taxRuleOn(one.payee, period.end)
        return CURRENCIES.map((currency) => ({
          ...one.payee,
          currency,
          // Of each part, as if it were all: what else a statement has is not known here.
          amount: sign * (paid[currency] - withheldOf(paid[currency], rule?.rateBp ?? 0, Infinity)),
        }))
      }),
    )
  }
  const all = await closingAt(last.recordedAt ?? startedAt, 1)
  // What is booked stays, and an office is paid for its week without the rest.
  const kept = await closingAt(new Date(startedAt.getTime() - 1), -1)
  const lost = [...all, ...kept.filter(({ kind }) => kind === 'office')]
  const unbooked = [...Map.groupBy(lost, balanceText).values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, amount: more.reduce((sum, one) => sum + one.amount, first.amount) }] : [],
  )
  const balances = await findBalances(tx, { kind: 'agent', id: agentId })
  return [...unbooked, ...balances.map(({ balance: amount, ...of }) => ({ ...of, amount }))].filter(
    ({ amount }) => amount !== 0,
  )
}

/** What an agent owes of advances, in minor units of each currency. No statement takes it back once they are deleted. */
export async function findOwed(tx: Tx, agentId: number): Promise<Record<Currency, number>> {
  const owed = { PHP: 0, USD: 0 }
  const advances = await findAdvances(tx, { only: { kind: 'agent', id: agentId } })
  for (const { currency, advanced, taken } of [...advances.values()].flat())
    owed[currency] += advanced - taken
  return owed
}
