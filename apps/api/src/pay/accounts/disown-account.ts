import type { DisownedAccount } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { payingNobody } from '../../db/guarded-writes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { insertSealed, insertSealedRows } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import { findHolds } from '../ledger/balances.queries.ts'
import { findPayeeNames, payeeText } from '../terms/payees.queries.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { ownPayee } from '../terms/own-payee.ts'
import {
  findAccounts,
  findDisowned,
  findRunsThatPay,
  lockAccounts,
} from './payee-accounts.queries.ts'
import { accountInWords, shownAccount } from './present-account.ts'
import { accountSeals } from './sealed-account.ts'
import { payeeOf, standingOf } from './standings.ts'

/**
 * *That wasn't me*: a payee says that they did not enter an account of theirs. It is refused for good, even if it was
 * confirmed, and the payee is on hold at once. It only stops payments, so being signed in is enough. Staff settle it by
 * talking to the payee and lifting the hold; to be paid to this account after all, the payee enters it again.
 *
 * @throws NOT_FOUND for another payee's account; CONFLICT if it was refused before or is an older one; FORBIDDEN after
 * *Sign in as*.
 */
export async function disownAccount(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<void> {
  refuseSignedInAs(viewer)
  const payee = ownPayee(viewer)
  await stopPaying(db, async (tx) => {
    await lockBalances(tx)
    await lockAccounts(tx, payee)
    const accounts = await findAccounts(tx, { payee })
    if (!accounts.some((account) => account.id === id)) throw notFound('account')
    const { inForce, newest } = standingOf(accounts)
    const account = [newest, inForce].find((one) => one?.id === id)
    if (!account || account.state === 'refused')
      throw conflict('This account no longer counts. Reload the page.')
    await insertSealedRows(tx, 'payee_account_decisions', {
      account_id: id,
      decided_by: viewer.accountId,
      decided_by_name: viewer.username,
      confirmed: false,
      reason: 'You said that you did not enter it.',
      decided_at: tx.now,
    })
    const words = accountInWords(account)
    const held = (await findHolds(tx, payee)).get(payeeText(payee))
    const said = `The payee says that they did not enter the account ${words}.`
    await insertSealed(tx, 'pay_holds', {
      payee_kind: payee.kind,
      payee_id: payee.id,
      held: true,
      reason: held ? `${said} On hold before: ${held.reason}` : said,
      told: `You said that you did not enter the account ${words}. We will contact you before anything is paid.`,
      account_id: id,
      set_at: tx.now,
      set_by: viewer.accountId,
      set_by_name: viewer.username,
    })
  })
}

/** A transaction that may be of a session without a proof, since it only stops payments. */
const stopPaying = (db: Db, fn: (tx: Tx) => Promise<void>): Promise<void> =>
  payingNobody(() => inTransaction(db, fn))

/** The accounts that their payees say they did not enter, while the hold stands. */
export async function listDisowned(
  services: Pick<Services, 'db' | 'secret' | 'formerSecrets'>,
): Promise<DisownedAccount[]> {
  const { db } = services
  const said = await findDisowned(db)
  if (said.length === 0) return []
  const ids = said.map(({ accountId }) => accountId)
  const accounts = new Map((await findAccounts(db, { ids })).map((one) => [one.id, one]))
  const names = await findPayeeNames(db, [...accounts.values()].map(payeeOf))
  const runs = await findRunsThatPay(db, ids)
  const seals = accountSeals(services)
  return said.flatMap(({ accountId, saidAt }) => {
    const account = accounts.get(accountId)
    if (!account) return []
    const payee = payeeOf(account)
    return [
      {
        payee: { ...payee, name: names.get(payeeText(payee)) ?? '' },
        account: shownAccount(seals, account),
        saidAt: saidAt.toISOString(),
        runs: runs
          .filter((run) => run.accountId === accountId)
          .map((run) => ({ id: run.id, number: run.number })),
      },
    ]
  })
}
