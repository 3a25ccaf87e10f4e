import type { JournalAccounts } from '@tallyroom/contract/pay/books'
import type { DbOrTx } from '../../db/database.ts'

/** Undefined until somebody has named them. */
export const findJournalAccounts = (db: DbOrTx): Promise<JournalAccounts | undefined> =>
  db
    .selectFrom('journal_accounts')
    .select([
      'commissions',
      'reimbursements',
      'payable',
      'bank',
      'transit',
      'outside',
      'advances',
      'clearing',
      'withheld',
      'tax_rate as taxRate',
    ])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The last month that was closed, with all before it. Undefined while none is. */
export const findClosedMonth = (db: DbOrTx) =>
  db
    .selectFrom('closed_months')
    .select(['month', 'closed_at as closedAt', 'closed_by_name as closedBy'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
