import type { Tx } from '../../db/database.ts'
import { updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { noAccount } from '../accounts/no-account.ts'
import { recordGrant } from '../accounts/pay-grants.queries.ts'
import { type KnownHandBy, recordHand, recordReaders } from '../hands/record-hand.ts'
import { type AdminRow, lockAdmin } from './admins.queries.ts'
import { lockAccountByUsername } from './operator.queries.ts'

/**
 * Records that an admin was granted the right to pay, or had it taken away, in the transaction that does it. Whose password
 * stood in a list until now was readable by each superadmin.
 */
export async function recordPay(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  { admin, granted, by }: { admin: AdminRow; granted: boolean; by: KnownHandBy },
): Promise<void> {
  const { id } = admin
  await recordGrant(tx, { accountId: id, granted, by, at: tx.now })
  if (!granted) return
  await recordHand(tx, { accountId: id, kinds: ['pay'], by, at: tx.now })
  if (admin.sealed && config.passwordColumn === 'on')
    await recordReaders(tx, { accountId: id, at: tx.now })
}

/**
 * Grants an admin the right to pay as of the next request, or takes it away, as the operator does. Returns the username as stored.
 *
 * @throws NOT_FOUND, or CONFLICT for an account that is no admin's: a superadmin may pay by role, and nobody else can.
 */
export const setPay = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  wanted: string,
  granted: boolean,
): Promise<string> =>
  inTransaction(db, async (tx) => {
    const account = await lockAccountByUsername(tx, wanted)
    if (!account) throw noAccount(wanted)
    const { id, username } = account
    if (account.isSuperadmin) throw conflict(`${username} is a superadmin, who may pay by that.`)
    const admin = await lockAdmin(tx, id)
    if (!admin) throw conflict(`${username} is not an admin. Only admins can hold PAY.`)
    if (admin.pay === granted) return username
    await updateRow(tx, 'accounts', id, {
      pay: granted,
      // No readable copy of the password of somebody who can move money.
      ...(granted && { password_sealed: null }),
    })
    await recordPay(tx, { config }, { admin, granted, by: 'operator' })
    return username
  })
