import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { type AdjustmentRow, findAdjustments } from '../ledger/adjustments.queries.ts'
import { openOf } from '../ledger/advances.ts'
import { type Advance, findAdvances } from '../ledger/advances.queries.ts'
import { balanceText, findBalances, findInRuns } from '../ledger/balances.queries.ts'
import { hasMovedSince, insertGivenUp, wasGivenUp } from '../ledger/given-up.queries.ts'
import { settle } from '../ledger/settle.ts'
import { findDeleted, isPayee, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { lockBalances } from '../terms/settings.queries.ts'

/**
 * Refuses to give up a payee while something of theirs is open that would come into the balance later: a transfer of a run that is
 * not finished, or adjustments that are on no statement. Call it under `lockBalances`.
 *
 * @throws CONFLICT
 */
export async function refuseOpen(tx: Tx, payee: PayeeKey): Promise<void> {
  const inRuns = await findInRuns(tx, payee)
  const adjustments = await findAdjustments(tx, payee)
  for (const currency of CURRENCIES) {
    const run = inRuns.get(balanceText({ ...payee, currency }))
    if (run)
      throw conflict(
        `${moneyText(run.running, currency)} of this ${payee.kind} is in a payment run that is not finished. Take it out of the run, or wait for the bank’s result.`,
      )
    // Different ones that add up to nothing may still be taxed differently.
    const open = adjustments.filter((one) => one.currency === currency && isOpen(one, adjustments))
    if (open.length > 0) {
      const sum = open.reduce((total, { amount }) => total + amount, 0)
      throw conflict(
        `${moneyText(sum, currency)} of adjustments of this ${payee.kind} is on no statement yet. Take it back, or close the period first.`,
      )
    }
  }
}

/** On no statement, without one that takes it back and is on none either. */
function isOpen(one: AdjustmentRow, all: readonly AdjustmentRow[]): boolean {
  const other = all.find(({ id }) => id === (one.oppositeOf ?? one.takenBackBy))
  return one.statementId === null && other?.statementId !== null
}

/** What a payee has in a currency: in the balance, and open of advances. */
type Standing = { currency: Currency; balance: number; advances: Advance[] }

/** Of each currency. */
async function findStanding(db: DbOrTx, payee: PayeeKey): Promise<Standing[]> {
  const balances = new Map<Currency, number>(
    (await findBalances(db, payee)).map(({ currency, balance }) => [currency, balance]),
  )
  const advances = await findAdvances(db, { only: payee })
  return CURRENCIES.map((currency) => ({
    currency,
    balance: balances.get(currency) ?? 0,
    advances: (advances.get(balanceText({ ...payee, currency })) ?? []).filter(
      (one) => openOf(one) > 0,
    ),
  }))
}

/**
 * Gives up what a payee who is deleted is owed and owes: entries end each balance and what is open of advances. What was given up is
 * written down also where it is nothing. Call it under `lockBalances`, after {@link refuseOpen}.
 */
export async function giveUp(tx: Tx, viewer: Viewer, payee: PayeeKey): Promise<void> {
  const by = { id: viewer.accountId, name: viewer.username }
  for (const { currency, ...standing } of await findStanding(tx, payee))
    await insertGivenUp(tx, { ...payee, currency }, standing, by)
  await settle(tx, [payee])
}

/**
 * What of somebody who was deleted was not given up by then, as of deletions before they did so, by currency. None of who is still
 * there. What came into a balance after their deletion is paid outside payment runs.
 */
export async function findToGiveUp(
  db: DbOrTx,
  payee: PayeeKey,
): Promise<{ currency: Currency; balance: number; owed: number }[]> {
  if (!(await findDeleted(db, [payee])).has(payeeText(payee))) return []
  // One act ends all of it, so none is left behind. A deletion that left nothing may be without a row (PAY-143).
  if ((await wasGivenUp(db, payee)) || (await hasMovedSince(db, payee))) return []
  return (await findStanding(db, payee))
    .filter(({ balance, advances }) => balance !== 0 || advances.length > 0)
    .map(({ currency, balance, advances }) => ({
      currency,
      balance,
      owed: advances.reduce((sum, one) => sum + openOf(one), 0),
    }))
}

/** In centavos and cents. */
type TypedToGiveUp = {
  unpaidCentavos: number
  unpaidCents: number
  owedCentavos: number
  owedCents: number
}

/**
 * Gives up what is left of somebody who was deleted, as their deletion would today.
 *
 * @throws NOT_FOUND; CONFLICT if there is nothing of that kind, or something that would come into the balance later;
 * VALIDATION_ERROR for other amounts.
 */
export const giveUpDeleted = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  typed: TypedToGiveUp,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    await lockBalances(tx)
    const left = await findToGiveUp(tx, payee)
    if (left.length === 0)
      throw conflict(
        `Nothing of this ${payee.kind} can be given up. What is left can be given up once, of an ${payee.kind} who was deleted before deletions did that.`,
      )
    const inPesos = left.find(({ currency }) => currency === 'PHP')
    const inDollars = left.find(({ currency }) => currency === 'USD')
    const problems = {
      ...refuseOther('unpaidCentavos', typed, inPesos?.balance),
      ...refuseOther('unpaidCents', typed, inDollars?.balance),
      ...refuseOther('owedCentavos', typed, inPesos?.owed),
      ...refuseOther('owedCents', typed, inDollars?.owed),
    }
    if (Object.keys(problems).length > 0) throw invalid(problems)
    await refuseOpen(tx, payee)
    await refuseForged(tx, { payees: [payee] })
    await giveUp(tx, viewer, payee)
  })

const refuseOther = (
  field: keyof TypedToGiveUp,
  typed: TypedToGiveUp,
  is = 0,
): Record<string, string[]> =>
  typed[field] === is
    ? {}
    : {
        [field]: [
          `is not the amount: it is ${moneyText(is, field.endsWith('Cents') ? 'USD' : 'PHP')}`,
        ],
      }
