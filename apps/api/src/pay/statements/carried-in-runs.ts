import type { DbOrTx } from '../../db/database.ts'
import { balanceText, findPaymentEntries } from '../ledger/balances.queries.ts'
import { findSettledBooks } from '../ledger/settle.ts'
import { preparedBefore } from '../ledger/settlements.ts'
import { findEntryOf, findRunNumbers, type StatementRow } from './statements.queries.ts'

/**
 * What of a statement's balance before was in runs that waited for approval, by their numbers, oldest first, without those that
 * were cancelled.
 */
export async function findCarriedInRuns(
  db: DbOrTx,
  { id, kind, payeeId, currency, closedAt }: StatementRow,
  now: Date,
): Promise<{ run: string; amount: number }[]> {
  const payee = { kind, id: payeeId }
  const book = (await findSettledBooks(db, now, [payee])).get(balanceText({ ...payee, currency }))
  const prepared = book ? preparedBefore(book, closedAt) : []
  const taken = await findPaymentEntries(db, payee)
  const entry = (await findEntryOf(db, id)) ?? 0
  const waited = prepared.filter(({ runLineId }) => (taken.get(runLineId ?? 0) ?? entry) >= entry)
  if (waited.length === 0) return []
  const sums = Map.groupBy(waited, ({ runId }) => runId ?? 0)
  const numbers = await findRunNumbers(db, [...sums.keys()])
  return numbers.map((one) => ({
    run: one.number,
    amount: (sums.get(one.id) ?? []).reduce((sum, { amount }) => sum + amount, 0),
  }))
}
