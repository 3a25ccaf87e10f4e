import { type earnedEndpoints, MOST_PERIODS } from '@tallyroom/contract/pay/closing/earned'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import { addDays, todayNewYork } from '@tallyroom/domain/new-york'
import type { PayPeriod } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import { inSnapshot } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import type { Whose } from '../bookings/book-events.queries.ts'
import { findCalendar, openPeriods } from '../terms/calendar.ts'
import { addUp, type EarnedPeriod, findEarned } from '../closing/earned.ts'
import { findRecent, whoseOf } from './own-pay.ts'
import { settingsOf } from './readers.ts'
import { refuseWithoutPayouts } from '../terms/own-payee.ts'

type Calls = typeof earnedEndpoints

/**
 * What the pay periods of some days pay, as far as the viewer may see it. Whole periods, because tiers and conversions
 * are not known for parts of one. @throws FORBIDDEN while payouts are hidden from the viewer.
 */
export const findEarnedIn = (
  { reportDb }: Pick<Services, 'reportDb'>,
  viewer: Viewer,
  { start, end, isWeekly, companyId, agentId }: RequestOf<Calls['earned']>['body'],
): Promise<AnswerOf<Calls['earned']>> =>
  inSnapshot(reportDb, async (tx) => {
    await refuseWithoutPayouts(tx, viewer)
    await liftStatementTimeout(tx)
    const calendar = await findCalendar(tx)
    const whose = narrowed(scopeOf(viewer), { companyId, agentId })
    if (!calendar || !whose) return NOTHING
    // A week belongs to the period of its Sunday.
    const first = isWeekly ? addDays(periodOf(start, 'week').start, 6) : start
    const isAsked = (period: PayPeriod) => period.start <= end && period.end >= first
    const closed = calendar.closed.filter(isAsked)
    const open = openPeriods(calendar, todayNewYork(tx.now))
    const last = open.findLastIndex(isAsked)
    if (closed.length + open.filter(isAsked).length > MOST_PERIODS) return NOTHING
    const { periods } = await findEarned(tx, calendar, {
      closed,
      open: open.slice(0, last + 1),
      now: tx.now,
      whose,
    })
    const asked = periods.filter(({ period }) => isAsked(period))
    return {
      periods: asked.map(({ period, isClosed }) => {
        const { payees, avp } = settingsOf(calendar, period)
        return {
          name: period.name,
          start: period.start,
          end: period.end,
          isClosed,
          payees,
          avp,
        }
      }),
      sums: addUp(asked.flatMap(({ to }) => to)),
    }
  })

/** What an office or agent earned of late, as far as the viewer may see it. Pages show it beside figures that they may see. */
export const findRecentEarned = (
  { reportDb }: Pick<Services, 'reportDb'>,
  viewer: Viewer,
  { companyId, agentId }: { companyId: number | undefined; agentId: number | undefined },
): Promise<AnswerOf<Calls['recentEarned']>> =>
  inSnapshot(reportDb, async (tx) => {
    const { payout } = await findVisibleAmounts(tx, viewer)
    await liftStatementTimeout(tx)
    const whose = payout ? narrowed(scopeOf(viewer), { companyId, agentId }) : undefined
    const today = todayNewYork(tx.now)
    const recent = whose && (await findRecent(tx, { whose, today, now: tx.now }))
    if (!recent) return { earned: null }
    const { calendar, current, last, before } = recent
    const present = ({ period, isClosed, to }: EarnedPeriod) => {
      const { payees, avp } = settingsOf(calendar, period)
      const { name, start, end } = period
      return { name, start, end, isClosed, payees, avp, sums: addUp(to) }
    }
    return {
      earned: {
        today: recent.today,
        now: present(current),
        last: last ? present(last) : null,
        before: before ? present(before) : null,
      },
    }
  })

const NOTHING = { periods: [], sums: [] }

/** The viewer's own events, narrowed to an office or an agent. Undefined if they may not see any of these. */
function narrowed(
  scope: Scope,
  { companyId, agentId }: { companyId: number | undefined; agentId: number | undefined },
): Whose | undefined {
  const own = whoseOf(scope)
  if (own.officeId !== undefined && companyId !== undefined && companyId !== own.officeId)
    return undefined
  if (own.agentIds && agentId !== undefined && !own.agentIds.includes(agentId)) return undefined
  const officeId = companyId ?? own.officeId
  const agentIds = agentId === undefined ? own.agentIds : [agentId]
  return { ...(officeId !== undefined && { officeId }), ...(agentIds && { agentIds }) }
}
