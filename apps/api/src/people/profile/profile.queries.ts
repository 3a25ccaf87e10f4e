import type { DbOrTx, Tx } from '../../db/database.ts'
import { selectAddresses } from '../addresses/mail-address.queries.ts'

const selectOwnAccount = (db: DbOrTx, accountId: number) =>
  selectAddresses(db)
    .select([
      'account.show_suspend',
      'account.show_suspend_chosen',
      'account.new_email',
      'account.version',
    ])
    .where('account.id', '=', accountId)

export const getOwnAccount = (db: DbOrTx, accountId: number) =>
  selectOwnAccount(db, accountId).executeTakeFirstOrThrow()

export type OwnAccount = Awaited<ReturnType<typeof getOwnAccount>>

/** The same with a row lock. */
export const lockOwnAccount = (tx: Tx, accountId: number) =>
  selectOwnAccount(tx, accountId).forNoKeyUpdate('account').executeTakeFirstOrThrow()
