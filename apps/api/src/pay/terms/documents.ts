import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import type { Day } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import { type PayeeKey, PAYER, payeeText } from './payees.queries.ts'
import { findTaxDetailsOn, type StoredTaxDetails } from './tax-details.queries.ts'

type Document = NonNullable<StatementContent['document']>

/** What makes the next statement of a payee a self-billed document; undefined if it is none. */
export type NextDocument = (payee: PayeeKey) => Document | undefined

/**
 * The documents of the statements of a period: those of payees whose tax details, and the network's, are in force on its
 * last day.
 *
 * @param serials the last serial of each payee before, by `payeeText`.
 */
export async function findDocuments(
  db: DbOrTx,
  lastDay: Day,
  serials: ReadonlyMap<string, number>,
): Promise<NextDocument> {
  const details = await findTaxDetailsOn(db, lastDay)
  const payer = details.get(payeeText(PAYER))
  return (payee) => {
    const own = details.get(payeeText(payee))
    if (!payer || !own) return undefined
    return {
      serial: (serials.get(payeeText(payee)) ?? 0) + 1,
      payer: partyOf(payer),
      payee: partyOf(own),
    }
  }
}

const partyOf = ({
  registeredName,
  country,
  taxNumber,
  address,
}: StoredTaxDetails): Document['payee'] => ({ registeredName, country, taxNumber, address })
