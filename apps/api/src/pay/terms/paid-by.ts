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

/** What pays for an event, or why nothing here does: it was recorded before pay was switched on, or pay is off. */
export type Settled = PaidBy | 'outside' | 'off'

/** Whether rates or tiers pay for an event; undefined for what is settled outside Tallyroom. */
export async function findPaidBy(db: DbOrTx): Promise<(event: PaidEvent) => PaidBy | undefined> {
  const settledBy = await findSettledBy(db)
  return (event) => {
    const by = settledBy(event)
    return by === 'outside' || by === 'off' ? undefined : by
  }
}

/** What pays for an event. The week of its sale decides between rates and tiers, as in closing. */
export async function findSettledBy(db: DbOrTx): Promise<(event: PaidEvent) => Settled> {
  const state = await findPayState(db)
  const [first, ...more] = await findPaySettings(db)
  if (!state || !first) return () => 'off'
  return ({ isAvp, recordedAt, soldAt, saleRecordedAt }) => {
    if (recordedAt < state.startedAt) return 'outside'
    if (!isAvp || saleRecordedAt < state.startedAt) return 'rate'
    return paidByRule[settingsOn([first, ...more], periodOf(dayOf(soldAt), 'week').start).avp]
  }
}

const paidByRule: Record<AvpRule, PaidBy> = {
  instead: 'tier',
  'on-top': 'both',
  information: 'rate',
}
