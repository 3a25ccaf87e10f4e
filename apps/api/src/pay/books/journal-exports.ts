import type { AnswerOf, InputOf } from '@tallyroom/contract/endpoint'
import {
  BESIDE_BILLS,
  type booksEndpoints,
  isBesideBills,
  isLeftOutOfXero,
  isOfBills,
  type JournalExport,
  type JournalFormat,
} from '@tallyroom/contract/pay/books/books'
import { CSV_MARK } from '@tallyroom/domain/csv'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { createHash } from 'node:crypto'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findBank } from '../terms/bank.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { getJournalAccounts } from './journal-accounts.ts'
import { journalFiles } from './journal-csv.ts'
import { findExportedFiles, findJournalExports, type StoredExport } from './journal.queries.ts'
import { findJournalMovements, findMovementsById, type Movement } from './movements.queries.ts'
import { linesOf, movementOf, type Posting, postingsOf } from './postings.ts'
import { postingsSince } from './postings-since.ts'

/**
 * What is booked in a month, YYYY-MM, up to a day, by its day, and the entries that it is of.
 *
 * @param today where the bank is
 */
export async function findPostings(db: DbOrTx, month: string, today: Day): Promise<Booked> {
  const { start, end } = periodOf(`${month}-01`, 'month')
  const movements = await findJournalMovements(db, { start, end })
  const postings = movements
    .flatMap(postingsOf)
    .filter(({ day }) => day >= start && day <= end && day <= today)
  return { postings: byDay(postings), movements }
}

const byDay = (postings: readonly Posting[]): Posting[] =>
  postings.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))

/** What is booked, and the entries that it is of. */
type Booked = { postings: Posting[]; movements: Movement[] }

/** What a format takes of the postings of a month. */
function takenBy(format: JournalFormat, booked: Booked): Posting[] {
  const { postings, movements } = booked
  if (isBesideBills(format)) {
    const { as, bills } = BESIDE_BILLS[format]
    const billed = new Set(takenBy(bills, booked))
    return takenBy(as, booked).filter((one) => !billed.has(one))
  }
  if (format === 'xero') return postings.filter((one) => !isLeftOutOfXero(one))
  if (!isOfBills(format)) return postings
  const billed = movements.filter(({ kind }) => kind === 'statement' || kind === 'tax')
  const payable = Map.groupBy(billed, ({ statement }) => statement)
  const ofBills = new Set(
    [...payable.values()]
      // Both programs refuse a bill that comes to nothing or less.
      .filter((own) => format === 'bills' || own.reduce((sum, { amount }) => sum + amount, 0) > 0)
      .flatMap((own) => own.map(({ id }) => id)),
  )
  return postings.filter((one) => ofBills.has(movementOf(one)))
}

/** What a format takes that is not in its exports of the month, oldest first, since the last that had all. */
function newSince(exports: readonly StoredExport[], taken: readonly Posting[]): Posting[] {
  const lastOfAll = exports.findLastIndex(({ isAll }) => isAll)
  const postingsOfAll = (own: readonly StoredExport[]) => own.flatMap(({ postings }) => postings)
  return postingsSince(
    postingsOfAll(exports.slice(Math.max(0, lastOfAll))),
    taken,
    postingsOfAll(exports),
  )
}

/** The exports of a month, newest first, and how much is new since the last of each format. */
export async function presentExports(
  db: DbOrTx,
  month: string,
  booked: Booked,
): Promise<JournalExport[]> {
  const exports = await findJournalExports(db, month)
  const last = new Map(exports.map((one) => [one.format, one.id]))
  return exports.toReversed().map((one): JournalExport => ({
    id: one.id,
    month,
    format: one.format,
    what: one.isAll ? 'all' : 'new',
    entries: one.entries,
    sha256: one.sha256,
    at: one.at.toISOString(),
    by: one.by,
    since:
      last.get(one.format) === one.id
        ? countEntries(
            newSince(
              exports.filter(({ format }) => format === one.format),
              takenBy(one.format, booked),
            ),
          )
        : null,
  }))
}

/** How many entries of balances they are of, each of which may be booked on two days. */
const countEntries = (postings: readonly Posting[]): number =>
  new Set(postings.map(movementOf)).size

/**
 * Exports a month, or what is new since the last export in the format, and remembers it.
 *
 * @throws CONFLICT if there is nothing to export, and if somebody has exported since the caller looked.
 */
export function exportJournal(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { month, format, what, since }: InputOf<(typeof booksEndpoints)['exportJournal']>['body'],
): Promise<{ id: number }> {
  refuseSignedInAs(viewer)
  return inTransaction(db, async (tx) => {
    // No entry is half made, and one export at a time knows what those before it had.
    await lockBalances(tx)
    const before = await findJournalExports(tx, month, format)
    const last = before.at(-1)
    if ((last?.id ?? null) !== since)
      throw conflict(
        last
          ? `${last.by} has exported this month meanwhile. Reload the page.`
          : 'This month was not exported yet. Reload the page.',
      )
    const taken = takenBy(format, await findPostings(tx, month, (await findBank(tx)).today))
    const postings = what === 'all' ? taken : byDay(newSince(before, taken))
    if (postings.length === 0)
      throw conflict(what === 'all' ? 'There is nothing to export.' : 'Nothing is new.')
    const files = await filesOf(tx, { month, format, isAll: what === 'all', postings })
    const id = await insertRow(tx, 'journal_exports', {
      month,
      format,
      is_all: what === 'all',
      entries: countEntries(postings),
      postings: JSON.stringify(postings),
      files: JSON.stringify(files),
      sha256: files.map(({ text }) =>
        createHash('sha256').update(`${CSV_MARK}${text}`).digest('hex'),
      ),
      exported_at: tx.now,
      exported_by: viewer.accountId,
      exported_by_name: viewer.username,
    })
    return { id }
  })
}

/**
 * The files of an export, as they were.
 *
 * @throws NOT_FOUND
 */
export async function getJournalExport(
  { db }: Pick<Services, 'db'>,
  id: number,
): Promise<AnswerOf<(typeof booksEndpoints)['journalExport']>> {
  const files = await findExportedFiles(db, id)
  if (!files) throw notFound('export')
  return { files }
}

async function filesOf(
  db: DbOrTx,
  { month, format, isAll, postings }: Pick<StoredExport, 'month' | 'format' | 'isAll' | 'postings'>,
) {
  const movements = await findMovementsById(db, [...new Set(postings.map(movementOf))])
  const files = journalFiles(linesOf(postings, movements), await getJournalAccounts(db), format)
  return files.map(({ name, text }) => ({
    name: `journal-${month}${name}${isAll ? '' : '-new'}.csv`,
    text,
  }))
}
