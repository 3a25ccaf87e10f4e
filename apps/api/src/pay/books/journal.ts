import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { booksEndpoints } from '@tallyroom/contract/pay/books/books'
import { dayOf } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot, inTransaction, nowOf } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findBank } from '../terms/bank.ts'
import { findCalendar, openPeriods } from '../terms/calendar.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { getJournalAccounts } from './journal-accounts.ts'
import { findPostings, presentExports } from './journal-exports.ts'
import { findClosedMonth } from './journal.queries.ts'
import { findMonths } from './movements.queries.ts'
import { linesOf } from './postings.ts'

/** The journal of a month, YYYY-MM, up to today where the bank is, and the months that have one. */
export const getJournal = (
  { db }: Pick<Services, 'db'>,
  month: string,
): Promise<AnswerOf<(typeof booksEndpoints)['journal']>> =>
  inSnapshot(db, async (tx) => {
    const { bank, closed, isOver, isClosed } = await stateOf(tx, month)
    const canClose = isOver && !isClosed
    const booked = await findPostings(tx, month, bank)
    return {
      accounts: await getJournalAccounts(tx),
      months: await findMonths(tx, bank),
      closed: closed ? { ...closed, closedAt: closed.closedAt.toISOString() } : null,
      canClose,
      unclosed: canClose ? await findUnclosed(tx, month) : [],
      lines: linesOf(booked.postings, booked.movements),
      exports: await presentExports(tx, month, booked),
    }
  })

/**
 * Whether a month is over in New York, where pay is earned, and where the bank is, and whether it was closed. `bank`: today there;
 * `closed`: the last month that was.
 */
async function stateOf(db: DbOrTx, month: string) {
  const now = nowOf(db)
  const { today: bank } = await findBank(db)
  const { end } = periodOf(`${month}-01`, 'month')
  const closed = await findClosedMonth(db)
  return {
    bank,
    closed,
    isOver: end < dayOf(now) && end < bank,
    isClosed: closed !== undefined && closed.month >= month,
  }
}

/** The pay periods up to the end of a month that are not closed, oldest first. */
async function findUnclosed(db: DbOrTx, month: string): Promise<string[]> {
  const calendar = await findCalendar(db)
  if (!calendar) return []
  const { end } = periodOf(`${month}-01`, 'month')
  return openPeriods(calendar, end).flatMap((period) => (period.end <= end ? period.name : []))
}

/**
 * Closes a month and all before it: what is entered from now on and belongs there is booked on the first day after it. It
 * can't be opened again, as it was exported. Closing what is closed changes nothing.
 *
 * @param evenUnclosed although there are pay periods up to its end that are not closed
 * @throws CONFLICT for a month that is not over, or that has such periods.
 */
export function closeMonth(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { month, evenUnclosed = false }: { month: string; evenUnclosed?: boolean },
): Promise<void> {
  refuseSignedInAs(viewer)
  return inTransaction(db, async (tx) => {
    // No entry is half made: whoever makes one holds the balances.
    await lockBalances(tx)
    const { isOver, isClosed } = await stateOf(tx, month)
    if (!isOver) throw conflict(`${month} is not over.`)
    if (isClosed) return
    const unclosed = evenUnclosed ? [] : await findUnclosed(tx, month)
    if (unclosed.length > 0)
      throw conflict(
        `Not closed yet: ${unclosed.join(', ')}. What is paid for them would be booked after ${month}. Close them first, or close the month all the same.`,
      )
    await insertRows(tx, 'closed_months', {
      month,
      closed_at: tx.now,
      closed_by: viewer.accountId,
      closed_by_name: viewer.username,
    })
  })
}
