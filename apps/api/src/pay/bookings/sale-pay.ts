import type { SaleTierPay } from '@tallyroom/contract/sale-tier-pay'
import { tierOf } from '@tallyroom/domain/avp'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { type Currency, settingsOn, sundayOf } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { findSchedulesOf } from '../../catalogue/index.ts'
import { findCurrencies } from '../ledger/balances.queries.ts'
import { payeeKindOf } from '../terms/calendar.ts'
import { findPaidBy } from '../terms/paid-by.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findPaySettings } from '../terms/settings.queries.ts'
import { countAvpWeeks } from './tiers.queries.ts'

/** A sale event, as far as its pay depends on it. */
export type Sold = {
  agentId: number
  officeId: number
  isAvp: boolean
  quantity: number
  recordedAt: Date
  /** When the sale was made, and when that was recorded: of this event, or of the sale that it is about. */
  soldAt: Date
  saleRecordedAt: Date
}

/** What tiers pay for an event; undefined if rates alone do. */
export type TierPayOf = (event: Sold) => SaleTierPay | undefined

/**
 * What tiers pay for sale events, at what their weeks have reached so far, in the currency of whoever is paid for them.
 * Undefined for what rates alone pay, and for what was settled before pay was on. Nothing for a difference and a refunded
 * part, where tiers pay instead.
 */
export async function findTierPay(db: DbOrTx, events: readonly Sold[]): Promise<TierPayOf> {
  const paidBy = await findPaidBy(db)
  const isByTier = (event: Sold) => {
    const by = paidBy(event)
    // A difference or a refunded part changes what rates pay, and no number of sales.
    return event.isAvp && (by === 'tier' || (by === 'both' && event.quantity !== 0))
  }
  const byTier = events.filter(isByTier)
  const weeks = [...new Set(byTier.map(weekOf))].toSorted()
  const [first, last] = [weeks[0], weeks.at(-1)]
  const [settings, ...more] = await findPaySettings(db)
  if (first === undefined || last === undefined || !settings) return () => undefined
  const agentIds = [...new Set(byTier.map(({ agentId }) => agentId))]
  const counts = await countAvpWeeks(db, { agentIds, weeks })
  const sales = new Map(counts.map((one) => [`${one.week} ${one.agentId}`, one.sales]))
  const schedules = await findSchedulesOf(db, { start: first, end: last })
  const payeeOf = (event: Sold): PayeeKey => {
    // A week is paid in the period of its Sunday.
    const sunday = sundayOf(weekOf(event))
    const kind = payeeKindOf(settingsOn([settings, ...more], sunday).payees)
    return { kind, id: kind === 'office' ? event.officeId : event.agentId }
  }
  const currencies = await findCurrencies(db, byTier.map(payeeOf))
  return (event) => {
    if (!isByTier(event)) return undefined
    const week = weekOf(event)
    const tiers = schedules.findLast(({ validFrom }) => validFrom <= week)?.tiers ?? []
    const tier = tierOf(sales.get(`${week} ${event.agentId}`) ?? 0, tiers)
    if (!tier) return undefined
    const currency: Currency = currencies.get(payeeText(payeeOf(event))) ?? 'PHP'
    const pays = (one: typeof tier) => ({
      tier: one.index,
      amount: fromMinorUnits(
        event.quantity * (currency === 'PHP' ? one.payoutCentavos : one.payoutCents) || 0,
      ),
    })
    const next = tiers.find(({ index }) => index === tier.index + 1)
    return {
      ...pays(tier),
      currency,
      isOnTop: paidBy(event) === 'both',
      next: next && event.quantity !== 0 ? pays(next) : null,
    }
  }
}

const weekOf = ({ soldAt }: Sold): Day => periodOf(dayOf(soldAt), 'week').start
