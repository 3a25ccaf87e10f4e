import type { Day } from '@tallyroom/domain/new-york'
import type { AvpRule } from '@tallyroom/domain/pay'
import { weeksOf } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import { findSchedulesOf, findVisibleAmounts, stepsOf } from '../../catalogue/index.ts'
import { findTierWeeks, type TierWeeks } from '../../pay/index.ts'
import type { Amounts, FindsEarnings } from '../../people/index.ts'
import {
  findAvpSites,
  findPaidByRates,
  findPaidByTiers,
  type PaidByTiers,
  type SellerKey,
} from './earnings.queries.ts'

/**
 * What agents or offices earned on some days and on as many days before, from the totals: what rates and bonuses pay
 * and, once pay is on, what tiers pay, by the rule of each week. Statements say it to the centavo for whole periods; here, a
 * site counts for AVP as it does now.
 */
export const findEarnings: FindsEarnings['findEarnings'] = async (
  tx,
  viewer,
  { key, ids, days },
) => {
  const { payout } = await findVisibleAmounts(tx, viewer)
  if (!payout) return undefined
  const range = { start: days.before.start, end: days.end }
  const weeks = await findTierWeeks(tx, range)
  const asked = { scope: scopeOf(viewer), key, ids, first: range.start, ...days }
  const of = new Map(ids.map((id) => [id, { now: nothing(), before: nothing() }]))
  const add = (id: number, isNow: boolean, currency: keyof Amounts, amount: number) => {
    const own = of.get(id)
    if (own) own[isNow ? 'now' : 'before'][currency] += amount
  }
  const replaced = {
    weeks: mondays(weeks, (rule) => rule === 'instead'),
    siteIds: weeks ? await findAvpSites(tx) : [],
  }
  for (const paid of await findPaidByRates(tx, asked, replaced))
    add(paid.id, paid.isNow, 'PHP', paid.centavos)

  const tiered = mondays(weeks, (rule) => rule !== 'information')
  if (weeks && tiered.length > 0) {
    const steps = stepsOf(await findSchedulesOf(tx, weeksOf(range)))
    // Whose currency it is decides whose sums are needed.
    const byAgent = key === 'agent_id' || tiered.some((week) => weeks.payeeKindOf(week) === 'agent')
    const rows = await findPaidByTiers(tx, asked, { weeks: tiered, steps, byAgent })
    const payeeOf = ({ week, officeId, agentId = 0 }: PaidByTiers) => {
      const kind = weeks.payeeKindOf(week)
      return { kind, id: kind === 'office' ? officeId : agentId }
    }
    const currencyOf = await weeks.findCurrencies(rows.map(payeeOf))
    for (const row of rows) {
      const currency = currencyOf(payeeOf(row))
      const amount = currency === 'PHP' ? row.centavos : row.cents
      add(idOf(row, key), row.isNow, currency, amount)
    }
  }
  return { by: weeks ? 'rates and tiers' : 'rates', of }
}

const nothing = (): Amounts => ({ PHP: 0, USD: 0 })

const idOf = ({ officeId, agentId = 0 }: PaidByTiers, key: SellerKey) =>
  key === 'office_id' ? officeId : agentId

const mondays = (weeks: TierWeeks | undefined, is: (rule: AvpRule) => boolean): Day[] =>
  [...(weeks?.ruleOf ?? [])].flatMap(([monday, rule]) => (is(rule) ? [monday] : []))
