import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** An office's address is its manager's. */
const selectOwnAccount = (db: DbOrTx, accountId: number) =>
  db
    .selectFrom('accounts')
    .leftJoin('offices', 'offices.id', 'accounts.office_id')
    .select([
      'accounts.username',
      'accounts.show_suspend',
      'accounts.show_suspend_chosen',
      'accounts.version',
    ])
    .select((eb) => eb.fn.coalesce('accounts.email', 'offices.man_email').as('email'))
    .where('accounts.id', '=', accountId)

export const getOwnAccount = (db: DbOrTx, accountId: number) =>
  selectOwnAccount(db, accountId).executeTakeFirstOrThrow()

export type OwnAccount = Awaited<ReturnType<typeof getOwnAccount>>

/** The same, held until the transaction ends. */
export const lockOwnAccount = (tx: Tx, accountId: number) =>
  selectOwnAccount(tx, accountId).forNoKeyUpdate('accounts').executeTakeFirstOrThrow()

/** What is left out stays. */
export async function updateOwnAccount(
  tx: Tx,
  accountId: number,
  columns: { email: string | null; show_suspend_chosen?: boolean },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', accountId)
    .execute()
}
