import {
  CURRENCY_NAMES,
  laterText,
  moneyText,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { addDays, type Day, dayOf } from '@tallyroom/domain/new-york'
import type { Currency, HeldPart, OutsideWay } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction, nowOf } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findBank } from '../terms/bank.ts'
import {
  type BalanceKey,
  balanceText,
  findCurrency,
  findInRuns,
} from '../ledger/balances.queries.ts'
import { getCalendar } from '../terms/calendar.ts'
import { findFree } from '../ledger/held.ts'
import { findSameVoucher, insertApprovedEntries } from '../ledger/outside.queries.ts'
import { findDeleted, payeeText, type PayeeKey, isPayee } from '../terms/payees.queries.ts'
import { insertProposal, type Proposal, type ProposedAct } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'

/**
 * Enters what a payee was paid outside payment runs, in cash or otherwise. It always waits for a second person, because
 * no bank's file says that it was paid. Returns the proposal's id.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not within the last year, or more than is left to pay of the
 * balance, unless it is taken back in instalments; CONFLICT if the voucher was entered before.
 */
export const payOutside = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  {
    reason,
    instalments = null,
    ...paid
  }: {
    currency: Currency
    amount: number
    way: OutsideWay
    paidOn: Day
    voucher: string
    reason: string
    /** Over how many statements what is more than the balance is taken back. */
    instalments?: number | null | undefined
  },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const today = dayOf(tx.now)
    await refusePaidOn(tx, paid.paidOn)
    const [same] = await findSameVoucher(tx, { kind: 'payment outside', payee, ...paid })
    if (same)
      throw conflict(
        `${same.by} has already entered a payment to them with the voucher ${paid.voucher}.`,
      )
    const advance = await advanceOf(
      tx,
      { ...payee, currency: paid.currency },
      { amount: paid.amount, instalments, today },
    )
    return insertProposal(tx, {
      act: { kind: 'payment outside', payee, ...paid, advance },
      reason,
      why: 'It was paid without a payment run.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

type Act = Extract<ProposedAct, { kind: 'payment outside' }>

/**
 * Refuses a day on which nothing can have been paid without a payment run. Vouchers are written where the bank is.
 *
 * @throws VALIDATION_ERROR
 */
export async function refusePaidOn(tx: Tx, paidOn: Day): Promise<void> {
  const { today } = await findBank(tx)
  if (paidOn > today)
    throw invalid({ paidOn: [`must not be after ${today}, today where the bank is`] })
  if (paidOn < addDays(today, -MOST_DAYS))
    throw invalid({ paidOn: ['must be within the last year'] })
}

/** Days are shown without their year. */
const MOST_DAYS = 366

type Left = { left: number; later: HeldPart[] }

/** What of a balance can be paid now, without what is in payment runs that are not approved yet, and what only later. */
async function findLeftToPay(db: DbOrTx, key: BalanceKey, today: Day): Promise<Left> {
  const { free, later } = await findFree(db, key, today)
  const { prepared = 0 } = (await findInRuns(db, key)).get(balanceText(key)) ?? {}
  return { left: Math.max(free - prepared, 0), later }
}

/**
 * What of an amount is more than is owed now. Null if nothing is.
 *
 * @throws VALIDATION_ERROR if it may not be, or if no statement could take it back.
 */
async function advanceOf(
  db: DbOrTx,
  key: BalanceKey,
  { amount, instalments, today }: { amount: number; instalments: number | null; today: Day },
): Promise<Act['advance']> {
  const { left, later } = await findLeftToPay(db, key, today)
  if (amount <= left) {
    if (instalments !== null)
      throw invalid({
        instalments: ['is only for what is more than can be paid of the balance now'],
      })
    return null
  }
  if (instalments === null) throw invalid({ amount: [moreThan({ left, later }, key.currency)] })
  const why = await whyNoAdvance(db, key)
  if (why !== undefined) throw invalid({ amount: [`is more than is owed. ${why}`] })
  return { amount: amount - left, instalments }
}

const moreThan = ({ left, later }: Left, currency: Currency, now = ''): string =>
  `is more than the ${moneyText(left, currency)} of the balance that no payment run pays${now}` +
  (later.length > 0 ? `. Later: ${laterText(later, currency)}` : '')

/** Why no statement would take back an advance, in a sentence. */
async function whyNoAdvance(db: DbOrTx, key: BalanceKey): Promise<string | undefined> {
  if ((await findDeleted(db, [key])).has(payeeText(key)))
    return `The ${key.kind} was deleted, so nothing that they earn could pay it back.`
  if ((await findCurrency(db, key)) !== key.currency)
    return `The payee is not paid in ${CURRENCY_NAMES[key.currency]}, so no statement could take it back.`
  return undefined
}

/** Why a proposed payment can't be approved any more; undefined if it can. */
async function whyOutsideOutdated(
  db: DbOrTx,
  { act }: Proposal<'payment outside'>,
): Promise<string | undefined> {
  if (!(await isPayee(db, act.payee))) return `The ${act.payee.kind} no longer exists.`
  const same = (await findSameVoucher(db, act)).find(({ approved }) => approved)
  if (same) return `A payment with the voucher ${act.voucher} was approved in the meantime.`
  const key = { ...act.payee, currency: act.currency }
  const no = act.advance && (await whyNoAdvance(db, key))
  if (no) return no
  const owed = act.amount - (act.advance?.amount ?? 0)
  const left = await findLeftToPay(db, key, dayOf(nowOf(db)))
  return owed > left.left
    ? `${moneyText(owed, act.currency)} ${moreThan(left, act.currency, ' now')}.`
    : undefined
}

/** A payment that no payment run makes. */
export const paymentOutside: ActOfTwo<'payment outside'> = {
  lock: 'balances',
  whyOutdated: whyOutsideOutdated,
  async carryOut(tx, proposal) {
    const { payee, currency, amount, advance } = proposal.act
    await insertApprovedEntries(tx, proposal, [
      // First, so that the payment takes no more than was owed.
      ...(advance
        ? [{ ...payee, currency, amount: advance.amount, entryKind: 'advance' as const }]
        : []),
      { ...payee, currency, amount: -amount, entryKind: 'outside' },
    ])
    return null
  },
  // Of cash no bank tells the payee.
  tells: ({ payee, currency, amount, way, paidOn, voucher }) => [
    { kind: 'outside', payee, currency, amount, way, paidOn, voucher },
  ],
  present: ({ payee, ...act }, names) => ({ ...act, payee: names.payee(payee) }),
}
