import type { Alarm, alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import type { ResultOf } from '@tallyroom/contract/endpoint'
import { CHART_HOURS } from '@tallyroom/contract/desk/alarms'
import { HOUR_MS } from '@tallyroom/domain/alarms'
import { addDays, dayOf, startOfDay, type Day } from '@tallyroom/domain/new-york'
import { can } from '@tallyroom/domain/abilities'
import type { Scope } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { type AlarmFilter, type AlarmRow, findAlarms } from './alarms.queries.ts'
import { keyOf, type Subject } from './hourly-figures.queries.ts'
import { readFigures } from './watch-figures.ts'

/** The longest break. */
const MOST_QUIET_DAYS = 366

/** The alarms that somebody should see now. */
export const listOpenAlarms = (
  { tx, viewer, scope, now }: { tx: DbOrTx; viewer: Viewer; scope: Scope; now: Date },
  limit: number,
): Promise<Alarm[]> =>
  listAlarms(tx, scope, { openAt: now, proof: can(viewer, 'verification.see'), limit })

export async function listAlarms(db: DbOrTx, scope: Scope, filter: AlarmFilter): Promise<Alarm[]> {
  return (await findAlarms(db, scope, filter)).map(present)
}

const present = ({ raisedAt, since, endedAt, quietUntil, ...alarm }: AlarmRow): Alarm => ({
  ...alarm,
  raisedAt: raisedAt.toISOString(),
  since: since.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  quietUntil: quietUntil?.toISOString() ?? null,
})

/**
 * The instant at which a break ends: when its day begins.
 *
 * @throws VALIDATION_ERROR unless it is after today and within a year.
 */
export function endOfBreak(until: Day | null, now: Date): Date | null {
  if (until === null) return null
  const today = dayOf(now)
  if (until <= today || until > addDays(today, MOST_QUIET_DAYS)) {
    throw invalid({ until: ['must be a day from tomorrow on, at most a year ahead'] })
  }
  return startOfDay(until)
}

/** What came and what is usual, by the hour. */
export async function readChart(
  db: DbOrTx,
  subject: Subject,
  now: Date,
): Promise<ResultOf<typeof alarmsEndpoints.alarmChart>> {
  const figures = (await readFigures(db, [subject], now)).get(keyOf(subject))
  const last = Math.ceil(now.getTime() / HOUR_MS)
  const hours = Array.from({ length: CHART_HOURS }, (_, place) => last - CHART_HOURS + place)
  return {
    hours: hours.map((hour) => {
      // Three hours, because the median of few sales in one is often none.
      const usual = (course: 'clicks' | 'sales') =>
        Math.round(10 * ((figures?.[course].usual(hour - 1, hour + 2) ?? 0) / 3)) / 10
      return {
        from: new Date(hour * HOUR_MS).toISOString(),
        clicks: figures?.clicks.came(hour, hour + 1) ?? 0,
        usualClicks: usual('clicks'),
        sales: figures?.sales.came(hour, hour + 1) ?? 0,
        usualSales: usual('sales'),
      }
    }),
  }
}
