import type { PaidBy } from '@tallyroom/contract/stats-explain'
import { dayOf } from '@tallyroom/domain/new-york'
import { type AvpRule, settingsOn } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { findPaySettings, findPayState } from './settings.queries.ts'

type PaidEvent = {
  /** A sale that counts for a tier. */
  isAvp: boolean
  recordedAt: Date
  /** When the sale was made: the event itself, or the one that it takes back. */
  soldAt: Date
  /** When that sale was recorded. */
  saleRecordedAt: Date
}

/**
 * What pays an event, by the rule of the week of its sale, as closing books it. Undefined for what was recorded before pay
 * was switched on, which was settled elsewhere.
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
