import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import { findPaymentStates } from '../statements/payment-states.ts'
import { findSettledBooks } from '../ledger/settle.ts'
import { type Book, standingsOf } from '../ledger/settlements.ts'
import { findSettledStates } from '../statements/states.ts'

/**
 * Compares what settlements say of every statement with what the times of payments and closings say, and names what was
 * carried with another amount than was owed.
 */
export async function stateFindings(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('statements').select(['id', 'number']).orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  const said = await findSettledStates(db, ids, nowOf(db))
  const oracle = await findPaymentStates(db, ids, nowOf(db))
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  const books = await findSettledBooks(db, nowOf(db))
  const carried = [...books.values()].flatMap(carriedWrongly)
  return [
    ...rows.flatMap(({ id, number }) =>
      JSON.stringify(said.get(id)) === JSON.stringify(oracle.get(id))
        ? []
        : [`The settlements of statement ${number} say something else than its payments.`],
    ),
    ...carried.map(
      (id) => `Statement ${numbers.get(id) ?? id} was carried with another amount than was owed.`,
    ),
  ].slice(0, limit)
}

/** The statements of which something is owed although their last settlement is that they were carried. */
function carriedWrongly(book: Book): number[] {
  const last = new Map(book.settlements.map(({ statementId, kind }) => [statementId, kind]))
  return standingsOf(book).flatMap(({ owed: { statementId }, open }) =>
    statementId !== null && last.get(statementId) === 'carried' && open !== 0 ? statementId : [],
  )
}
