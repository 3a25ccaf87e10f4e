import { addDays, type Day } from '@tallyroom/domain/new-york'
import {
  type PayPeriod,
  type Payees,
  payPeriodFrom,
  payPeriodOf,
  payPeriodsBetween,
  settingsOn,
  sundayOf,
} from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { conflict } from '../../errors.ts'
import {
  type ClosedPeriod,
  findClosedPeriods,
  findPaySettings,
  findPayState,
  type PayState,
  type StoredSettings,
} from './settings.queries.ts'

/** Everything that determines the periods: when pay began, its settings, and the closed periods, oldest first. */
export type Calendar = {
  state: PayState
  settings: readonly [StoredSettings, ...StoredSettings[]]
  closed: readonly ClosedPeriod[]
}

/** Undefined until pay is switched on. */
export async function findCalendar(db: DbOrTx): Promise<Calendar | undefined> {
  const state = await findPayState(db)
  const [first, ...more] = await findPaySettings(db)
  if (!state || !first) return undefined
  return { state, settings: [first, ...more], closed: await findClosedPeriods(db) }
}

/** @throws CONFLICT until pay is switched on. */
export async function getCalendar(db: DbOrTx): Promise<Calendar> {
  const calendar = await findCalendar(db)
  if (!calendar) throw conflict('Pay is not switched on. Choose its settings first.')
  return calendar
}

/** The first day that no closed period covers. */
export function firstOpenDay({ state, closed }: Calendar): Day {
  const last = closed.at(-1)
  return last && last.end >= state.firstDay ? addDays(last.end, 1) : state.firstDay
}

/** The next period to close. */
export function nextPeriod(calendar: Calendar): PayPeriod {
  const start = firstOpenDay(calendar)
  return payPeriodFrom(start, settingsOn(calendar.settings, start).length)
}

/** The open periods that have begun, oldest first; at least the next one. */
export function openPeriods(calendar: Calendar, today: Day): PayPeriod[] {
  const periods = payPeriodsBetween(calendar.settings, firstOpenDay(calendar), today)
  return periods.length > 0 ? periods : [nextPeriod(calendar)]
}

/** The open periods up to the one that pays for the week of `today`. */
export const openUntilSunday = (calendar: Calendar, today: Day): PayPeriod[] =>
  openPeriods(calendar, sundayOf(periodOf(today, 'week').start))

/** The first day of the first period that has not begun. */
export function firstUnbegunDay(calendar: Calendar, today: Day): Day {
  const last = openPeriods(calendar, today).at(-1)
  return !last || last.start > today ? firstOpenDay(calendar) : addDays(last.end, 1)
}

export const payeeKindOf = (payees: Payees) => (payees === 'offices' ? 'office' : 'agent')

/**
 * The closed period that contains an earlier day. Days before the first period are divided into periods of the same
 * length, the last of which ends where the first period begins.
 */
export function closedPeriodOf(
  closed: readonly Pick<ClosedPeriod, 'name' | 'start' | 'end' | 'length'>[],
  day: Day,
): { name: string; start: Day; end: Day } {
  const first = closed[0]
  if (!first) throw new RangeError('no period is closed')
  const own = closed.findLast((period) => period.start <= day && day <= period.end)
  if (own) return { name: own.name, start: own.start, end: own.end }
  const { name, start, end } = payPeriodOf(day, first.length)
  return { name, start, end: end < first.start ? end : addDays(first.start, -1) }
}
