import type { Home } from '@tallyroom/contract/home'
import { type Day, endOfDayExclusive } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { findCalendar, openPeriods } from './calendar.ts'
import { findClosedPeriods, findPayState } from './settings.queries.ts'
import { findStatements } from './statements.queries.ts'
import { presentAll } from './statements.ts'

/**
 * An office's or agent's pay for a half-month that is over: the statement of the period that
 * contains its last day. Undefined while pay is off, and for days before pay began.
 */
export async function findLastPay(
  db: DbOrTx,
  scope: Scope,
  { end }: DateRange,
): Promise<Home['lastPay']> {
  const state = await findPayState(db)
  if (!state || end < state.firstDay) return undefined
  const closed = await findClosedPeriods(db)
  const period = closed.find((one) => one.start <= end && end <= one.end)
  if (!period) return { isClosed: false, statement: null }
  const rows = await findStatements(db, scope, { period: period.name }, { page: 1, pageSize: 1 })
  const [statement] = await presentAll(db, scope, rows)
  return {
    isClosed: true,
    statement: statement
      ? { id: statement.id, number: statement.number, state: statement.state }
      : null,
  }
}

/**
 * The pay periods that are over but not closed, and when the first one ended; undefined while pay
 * is off.
 */
export async function findPeriodsToClose(
  db: DbOrTx,
  today: Day,
): Promise<{ count: number; since: Date | null } | undefined> {
  const calendar = await findCalendar(db)
  if (!calendar) return undefined
  const over = openPeriods(calendar, today).filter(({ end }) => end < today)
  const [first] = over
  return { count: over.length, since: first ? endOfDayExclusive(first.end) : null }
}
