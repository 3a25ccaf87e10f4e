import type { PaidBy } from '@tallyroom/contract/figures/explain'
import { dayOf } from '@tallyroom/domain/new-york'
import { type AvpRule, settingsOn } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { findPaySettings, findPayState } from './settings.queries.ts'

type PaidEvent = {
  /** A sale that counts for a tier. */
  isAvp: boolean
  recordedAt: Date
  /** When the sale was made: this event, or the sale that it reverses. */
  soldAt: Date
  /** When that sale was recorded. */
  saleRecordedAt: Date
}

/**
 * Whether rates or tiers pay for an event. The week of its sale decides, as in closing. Undefined for events recorded
 * before pay was switched on, which were settled outside Tallyroom.
 */
export async function findPaidBy(db: DbOrTx): Promise<(event: PaidEvent) => PaidBy | undefined> {
  const state = await findPayState(db)
  const [first, ...more] = await findPaySettings(db)
  if (!state || !first) return () => undefined
  return ({ isAvp, recordedAt, soldAt, saleRecordedAt }) => {
    if (recordedAt < state.startedAt) return undefined
    if (!isAvp || saleRecordedAt < state.startedAt) return 'rate'
    return paidByRule[settingsOn([first, ...more], periodOf(dayOf(soldAt), 'week').start).avp]
  }
}

const paidByRule: Record<AvpRule, PaidBy> = {
  instead: 'tier',
  'on-top': 'both',
  information: 'rate',
}
