import { type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import type { Day } from '@tallyroom/domain/new-york'
import type { Scope } from '../../access/scope.ts'
import type { Calendar } from '../terms/calendar.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import type { ClosedPeriod } from '../terms/settings.queries.ts'

/** An office or an agent, who may be paid. */
export type Own = Exclude<Scope, { sees: 'everything' }>

export type Reader = { scope: Own; today: Day; now: Date }

/** What a period was closed with, or would be. */
export function settingsOf(
  calendar: Calendar,
  period: PayPeriod | ClosedPeriod,
): Pick<ClosedPeriod, 'payees' | 'avp'> {
  return 'closedAt' in period ? period : settingsOn(calendar.settings, period.start)
}

/** Whether a payee's statement has lines of somebody who is not the payee. */
export const isPart = (scope: Own, payee: PayeeKey): boolean =>
  scope.sees === 'agent' ? payee.kind === 'office' : payee.kind === 'agent'
