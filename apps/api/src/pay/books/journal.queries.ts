import type { JournalAccounts, JournalFormat } from '@tallyroom/contract/pay/books/books'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { Posting } from './postings.ts'

/** Undefined until somebody has named them. */
export const findJournalAccounts = (db: DbOrTx): Promise<JournalAccounts | undefined> =>
  db
    .selectFrom('journal_accounts')
    .select([
      'commissions',
      'reimbursements',
      'payable',
      sql<string>`coalesce(payable_usd, payable)`.as('payableUsd'),
      'bank',
      'transit',
      'outside',
      'advances',
      'clearing',
      'withheld',
      'given_up as givenUp',
      'tax_rate as taxRate',
      'vendors',
    ])
    .$castTo<JournalAccounts>()
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

/** An export of the journal: what it had. */
export type StoredExport = {
  id: number
  month: string
  format: JournalFormat
  isAll: boolean
  /** How many entries of balances it has. */
  entries: number
  postings: Posting[]
  /** Of its files, in hex. */
  sha256: string[]
  at: Date
  by: string
}

const selectExports = (db: DbOrTx) =>
  db
    .selectFrom('journal_exports')
    .select([
      'id',
      'month',
      'format',
      'is_all as isAll',
      'entries',
      'postings',
      'sha256',
      'exported_at as at',
      'exported_by_name as by',
    ])
    .$castTo<StoredExport>()

/** Those of a month, oldest first. */
export const findJournalExports = (
  db: DbOrTx,
  month: string,
  format?: JournalFormat,
): Promise<StoredExport[]> =>
  selectExports(db)
    .where('month', '=', month)
    .$if(format !== undefined, (query) => query.where('format', '=', format ?? ''))
    .orderBy('id')
    .execute()

/** The files of an export, as they were saved; undefined without such an export. */
export async function findExportedFiles(
  db: DbOrTx,
  id: number,
): Promise<{ name: string; text: string }[] | undefined> {
  const found = await db
    .selectFrom('journal_exports')
    .select('files')
    .$castTo<{ files: { name: string; text: string }[] }>()
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.files
}
