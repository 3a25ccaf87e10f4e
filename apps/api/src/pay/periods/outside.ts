import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { addDays, type Day, dayOf } from '@tallyroom/domain/new-york'
import type { Currency, OutsideWay } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isPayee } from './adjustments.queries.ts'
import { type BalanceKey, balanceText, findInRuns } from './balances.queries.ts'
import { getCalendar } from './calendar.ts'
import { findBalance } from './former-balance.ts'
import { findSameVoucher, insertApprovedEntries } from './outside.queries.ts'
import type { PayeeKey } from './payees.queries.ts'
import { insertProposal, type Proposal } from './proposals.queries.ts'

/**
 * Enters what a payee was paid outside of payment runs, in cash or otherwise. It always waits for a second person, because
 * no bank's file says that it was paid. Returns the proposal's id.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not within the last year, or more than is left to pay of the
 * balance; CONFLICT if the voucher was entered before.
 */
export const payOutside = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  payee: PayeeKey,
  {
    reason,
    ...paid
  }: {
    currency: Currency
    amount: number
    way: OutsideWay
    paidOn: Day
    voucher: string
    reason: string
  },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const now = clock.now()
    const today = dayOf(now)
    if (paid.paidOn > today)
      throw invalid({ paidOn: ['must not be in the future (New York time)'] })
    if (paid.paidOn < addDays(today, -MOST_DAYS))
      throw invalid({ paidOn: ['must be within the last year'] })
    const [same] = await findSameVoucher(tx, { payee, ...paid })
    if (same)
      throw conflict(
        `${same.by} has already entered a payment to them with the voucher ${paid.voucher}.`,
      )
    const tooMuch = await whyMoreThanLeft(tx, { ...payee, currency: paid.currency }, paid.amount)
    if (tooMuch !== undefined) throw invalid({ amount: [tooMuch] })
    return insertProposal(tx, {
      act: { kind: 'payment outside', payee, ...paid },
      reason,
      why: 'It was paid without a payment run.',
      madeAt: now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** Days are shown without their year. */
const MOST_DAYS = 366

/** What of a balance can be paid: without what is in payment runs that are not approved yet. Negative if it is owed. */
async function findLeftToPay(db: DbOrTx, key: BalanceKey): Promise<number> {
  const balance = await findBalance(db, key)
  return balance - ((await findInRuns(db, key)).get(balanceText(key))?.prepared ?? 0)
}

async function whyMoreThanLeft(
  db: DbOrTx,
  key: BalanceKey,
  amount: number,
): Promise<string | undefined> {
  const left = Math.max(await findLeftToPay(db, key), 0)
  return amount > left
    ? `is more than the ${moneyText(left, key.currency)} of the balance that no payment run pays`
    : undefined
}

/** Why a proposed payment can't be approved any more; undefined if it can. */
export async function whyOutsideOutdated(
  db: DbOrTx,
  { act }: Proposal<'payment outside'>,
): Promise<string | undefined> {
  if (!(await isPayee(db, act.payee))) return `The ${act.payee.kind} no longer exists.`
  const same = (await findSameVoucher(db, act)).find(({ approved }) => approved)
  if (same) return `A payment with the voucher ${act.voucher} was approved in the meantime.`
  const tooMuch = await whyMoreThanLeft(db, { ...act.payee, currency: act.currency }, act.amount)
  return tooMuch && `${moneyText(act.amount, act.currency)} ${tooMuch} now.`
}

/** Takes an approved payment from the balance, under `lockBalances`. */
export const storePaymentOutside = (
  tx: Tx,
  proposal: Proposal<'payment outside'>,
  madeAt: Date,
): Promise<void> => {
  const { payee, currency, amount } = proposal.act
  return insertApprovedEntries(tx, proposal, [{ ...payee, currency, amount: -amount }], {
    entryKind: 'outside',
    madeAt,
  })
}
