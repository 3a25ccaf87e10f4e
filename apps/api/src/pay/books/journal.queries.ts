import type { JournalAccounts } from '@tallyroom/contract/pay/books'
import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** Undefined until somebody has named them. */
export const findJournalAccounts = (db: DbOrTx): Promise<JournalAccounts | undefined> =>
  db
    .selectFrom('journal_accounts')
    .select([
      'commissions',
      'payable',
      'bank',
      'outside',
      'clearing',
      'withheld',
      'tax_rate as taxRate',
    ])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The New York months in which a balance changed, newest first. */
export async function findMonths(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select distinct to_char(made_at at time zone ${sql.lit(NEW_YORK)}, 'YYYY-MM') as month
    from balance_entries
    order by month desc
  `.execute(db)
  return rows.map(({ month }) => month)
}
