import { type JournalAccounts, USUAL_ACCOUNTS } from '@tallyroom/contract/pay/books/books'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { findJournalAccounts } from './journal.queries.ts'

export const getJournalAccounts = async (db: DbOrTx): Promise<JournalAccounts> =>
  (await findJournalAccounts(db)) ?? USUAL_ACCOUNTS

export function saveJournalAccounts(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { taxRate, payableUsd, givenUp, vendors, ...accounts }: JournalAccounts,
): Promise<void> {
  refuseSignedInAs(viewer)
  return inTransaction(db, (tx) =>
    insertRows(tx, 'journal_accounts', {
      ...accounts,
      payable_usd: payableUsd,
      given_up: givenUp,
      vendors: JSON.stringify(vendors),
      tax_rate: taxRate,
      set_at: tx.now,
      set_by: viewer.accountId,
    }),
  )
}
