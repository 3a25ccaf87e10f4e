import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency, type PayPeriod } from '@tallyroom/domain/pay'
import { quarterOf, withheldOf } from '@tallyroom/domain/withholding'
import type { Tx } from '../../db/database.ts'
import { openOf } from '../ledger/advances.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import { type BalanceKey, findBalances } from '../ledger/balances.queries.ts'
import { findLastEvent, type Whose } from '../bookings/book-events.queries.ts'
import { findCalendar, openUntilSunday } from '../terms/calendar.ts'
import { notIncomeIn, paidByParts } from '../closing/earned.ts'
import type { TaxTerms } from '../statements/make-statement.ts'
import { findOpenParts } from '../closing/open-parts.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findTaxTerms } from '../acts/tax-rates.ts'

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
  const recordedAt = last.recordedAt ?? startedAt
  const periods = openUntilSunday(calendar, dayOf(last.soldAt ?? startedAt))
  const findPaid = async (now: Date, whose: Whose): Promise<Paid[]> =>
    (await findOpenParts(tx, { calendar, periods, now, whose })).flatMap(({ period, parts }) =>
      parts.flatMap((one) => {
        const paid = paidByParts(one)
        const notIncome = notIncomeIn(one)
        return CURRENCIES.map((currency) => ({
          ...one.payee,
          currency,
          lastDay: period.end,
          amount: paid[currency],
          notIncome: notIncome[currency],
        }))
      }),
    )
  const own = await findPaid(recordedAt, { agentIds: [agentId] })
  // What is booked stays, and an office is paid for its week without the rest.
  const kept = (await findPaid(new Date(startedAt.getTime() - 1), { agentIds: [agentId] })).filter(
    ({ kind }) => kind === 'office',
  )
  const payees = [...new Map([...own, ...kept].map((one) => [payeeText(one), one])).values()]
  const taxOf = await findTaxOf(tx, periods)
  const unbooked: (BalanceKey & { amount: number })[] = []
  for (const { kind, id } of payees) {
    const isOfPayee = (one: PayeeKey) => one.kind === kind && one.id === id
    const mine = own.filter(isOfPayee)
    // A sum that can be negative is taxed as a whole, with what other agents of the office earned.
    const whole =
      kind === 'office' && periods.some(({ end }) => taxOf({ kind, id, currency: 'PHP' }, end))
        ? (await findPaid(recordedAt, { officeId: id })).filter(isOfPayee)
        : mine
    const left = [
      ...whole,
      ...mine.map((one) => ({ ...one, amount: -one.amount, notIncome: -one.notIncome })),
      ...kept.filter(isOfPayee),
    ]
    for (const currency of CURRENCIES) {
      const key = { kind, id, currency }
      const net = (paid: readonly Paid[]) =>
        afterTax(
          periods.map(({ end: lastDay }) => {
            const then = paid.filter((one) => one.currency === currency && one.lastDay === lastDay)
            return {
              lastDay,
              amount: sumOf(then, 'amount'),
              notIncome: sumOf(then, 'notIncome'),
              terms: taxOf(key, lastDay),
            }
          }),
        )
      unbooked.push({ ...key, amount: net(whole) - net(left) })
    }
  }
  const balances = await findBalances(tx, { kind: 'agent', id: agentId })
  return [...unbooked, ...balances.map(({ balance: amount, ...of }) => ({ ...of, amount }))].filter(
    ({ amount }) => amount !== 0,
  )
}

/** What is paid of a period, and what of it is not income, in minor units of the currency. */
type Paid = BalanceKey & { lastDay: Day; amount: number; notIncome: number }

/** On which terms a payee's statement of an open period would be taxed. */
async function findTaxOf(tx: Tx, periods: readonly PayPeriod[]) {
  const terms = new Map<Day, Awaited<ReturnType<typeof findTaxTerms>>>()
  for (const { end } of periods) terms.set(end, await findTaxTerms(tx, end))
  return (key: BalanceKey, lastDay: Day) => terms.get(lastDay)?.(key)
}

const sumOf = (paid: readonly Paid[], of: 'amount' | 'notIncome'): number =>
  paid.reduce((sum, one) => sum + one[of], 0)

/** What is left of what a payee's periods come to, closed one after another. */
function afterTax(
  periods: readonly {
    lastDay: Day
    amount: number
    notIncome: number
    terms: TaxTerms | undefined
  }[],
): number {
  const withheld = new Map<string, number>()
  let left = 0
  for (const { lastDay, amount, notIncome, terms } of periods) {
    const quarter = quarterOf(lastDay)
    const before = withheld.get(quarter) ?? 0
    const tax = terms ? withheldOf(amount - notIncome, terms.rateBp, terms.before + before) : 0
    withheld.set(quarter, before + tax)
    left += amount - tax
  }
  return left
}

/** What an agent owes of advances, in minor units of each currency. It is given up once they are deleted. */
export async function findOwed(tx: Tx, agentId: number): Promise<Record<Currency, number>> {
  const owed = { PHP: 0, USD: 0 }
  const advances = await findAdvances(tx, { only: { kind: 'agent', id: agentId } })
  for (const one of [...advances.values()].flat()) owed[one.currency] += openOf(one)
  return owed
}
