import type { PayeeKind } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { type AccountRow, findAccounts } from './payee-accounts.queries.ts'

/** A payee's account in force, and the newest one if it differs. */
export type Standing = { inForce: AccountRow | undefined; newest: AccountRow | undefined }

/** `accounts` are those of one payee, oldest first. The newest confirmed one is in force. */
export function standingOf(accounts: readonly AccountRow[]): Standing {
  const inForce = accounts.findLast(({ state }) => state === 'confirmed')
  const newest = accounts.at(-1)
  return { inForce, newest: newest === inForce ? undefined : newest }
}

/** Where a payee's money goes now. */
export const findAccountInForce = async (
  db: DbOrTx,
  payee: PayeeKey,
): Promise<AccountRow | undefined> => standingOf(await findAccounts(db, { payee })).inForce

/** The accounts of every payee, by `payeeText`. */
export async function findStandings(db: DbOrTx): Promise<ReadonlyMap<string, Standing>> {
  const byPayee = byPayeeText(await findAccounts(db, 'all'))
  return new Map([...byPayee].map(([key, accounts]) => [key, standingOf(accounts)]))
}

export const byPayeeText = (accounts: readonly AccountRow[]): ReadonlyMap<string, AccountRow[]> =>
  Map.groupBy(accounts, (account) => payeeText(payeeOf(account)))

export const payeeOf = ({
  payee_kind,
  payee_id,
}: Pick<AccountRow, 'payee_kind' | 'payee_id'>): PayeeKey => ({
  kind: payee_kind as PayeeKind, // payee_accounts__payee_kind
  id: payee_id,
})
