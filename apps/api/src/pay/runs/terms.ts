import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, findBegunAt } from '../../seals/index.ts'
import type { NextPayment } from './news.queries.ts'
import {
  findBookedSales,
  findPaidStatements,
  findTermChanges,
  type PaidStatement,
  type TermChange,
} from './terms.queries.ts'

/** A change of terms, and a line that is the first to pay by it. */
type NewTerm = TermChange & { lineId: number; payee: string }

/**
 * The changes of rates, sites and bonuses that took effect within the statements which these lines pay, and after their
 * payees' statements before: of what was sold on them, at least one sale is paid. What was changed before the release that
 * seals sites bars nobody, as it is not known to be complete.
 */
export async function findNewTerms(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf,
): Promise<NewTerm[]> {
  const since = await findBegunAt(db, 'former_site_flags')
  if (since === undefined) return []
  const paid = await findPaidStatements(db, of, asOf)
  if (paid.length === 0) return []
  const changes = await findTermChanges(db, spanOf(paid), { since, ...asOf })
  if (changes.length === 0) return []
  const sold = await findBookedSales(db, {
    periodIds: [...new Set(paid.map(({ periodId }) => periodId))],
    payeeIds: [...new Set(paid.map(({ payeeId }) => payeeId))],
    siteIds: [...new Set(changes.map(({ siteId }) => siteId))],
  })
  return changes.flatMap((change) =>
    paid
      .filter(
        (statement) =>
          isNewIn(statement, change) &&
          sold.some((sale) => isOf(statement, sale) && isPaidBy(change, sale)),
      )
      .map(({ lineId, name }) => ({ ...change, lineId, payee: name })),
  )
}

/** All days of the statements together. */
function spanOf(paid: readonly PaidStatement[]): Pick<PaidStatement, 'after' | 'until'> {
  const until =
    paid
      .map((one) => one.until)
      .toSorted()
      .at(-1) ?? ''
  if (paid.some(({ after }) => after === null)) return { after: null, until }
  return { after: paid.flatMap(({ after }) => after ?? []).toSorted()[0] ?? null, until }
}

const isNewIn = ({ after, until }: PaidStatement, { from }: TermChange): boolean =>
  (after === null || from > after) && from <= until

type Sale = Awaited<ReturnType<typeof findBookedSales>>[number]

const isOf = (statement: PaidStatement, sale: Sale): boolean =>
  statement.periodId === sale.periodId &&
  statement.kind === sale.kind &&
  statement.payeeId === sale.payeeId

const isPaidBy = ({ siteId, typeId, officeId }: TermChange, sale: Sale): boolean =>
  siteId === sale.siteId &&
  (typeId === null || typeId === sale.typeId) &&
  (officeId === null || officeId === sale.officeId)
