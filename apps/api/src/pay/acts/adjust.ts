import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { CountsAs, Currency } from '@tallyroom/domain/pay'
import { type AdjustmentLimit, isAboveLimit } from '@tallyroom/domain/pay-limits'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { refuseForged } from '../evidence/evidence.ts'
import {
  type AdjustmentRow,
  findAdjustment,
  insertAdjustment,
  isAgent,
} from '../ledger/adjustments.queries.ts'
import { findCurrency } from '../ledger/balances.queries.ts'
import { getCalendar } from '../terms/calendar.ts'
import { correctFormer, findBalance } from './former-balance.ts'
import { type PayeeKey, isPayee } from '../terms/payees.queries.ts'
import { findAdjustmentLimit, insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import { lockProposals } from '../terms/settings.queries.ts'

import type { ActOfTwo } from '../proposals/act-of-two.ts'

type Needed = Pick<Services, 'db'>

/** An adjustment that was made, or the proposal of one that waits for a second person. */
export type Adjusted = { id: number | null; proposalId: number | null }

/**
 * Adjusts a payee's next statement; or a balance in a currency that they have left, which waits for a second person.
 *
 * @throws VALIDATION_ERROR for any other currency than the payee's; CONFLICT while a former balance is in a run.
 */
export const createAdjustment = (
  { db }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
  {
    currency,
    amount,
    reason,
    countsAs = 'earned',
    heldBackFor = null,
  }: {
    currency: Currency
    amount: number
    reason: string
    countsAs?: CountsAs | undefined
    /** The agent whose doubtful sales it holds back. It is taken back when they are cleared of fraud. */
    heldBackFor?: number | null | undefined
  },
): Promise<Adjusted> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const paidIn = await findCurrency(tx, payee)
    const entered = {
      reason,
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    }
    // One person can't change what no statement shows.
    if (currency !== paidIn && (await findBalance(tx, { ...payee, currency })) !== 0) {
      if (heldBackFor !== null)
        throw invalid({ heldBackFor: ['must be in the currency in which the payee is paid'] })
      return {
        id: null,
        proposalId: await correctFormer(tx, { payee, currency, amount, countsAs }, entered),
      }
    }
    refuseOther(currency, paidIn)
    if (heldBackFor !== null && !(await isAgent(tx, heldBackFor)))
      throw invalid({ heldBackFor: ['no longer exists'] })
    const limit = await findAdjustmentLimit(tx, { ...payee, currency })
    return adjust(tx, {
      act: { kind: 'adjustment', payee, currency, amount, countsAs, oppositeOf: null, heldBackFor },
      ...entered,
      why: isAboveLimit(amount, limit) ? whyAbove({ currency, amount }, limit) : null,
    })
  })

/** @throws CONFLICT if it was reversed before, or is itself a reversal. */
export const takeBackAdjustment = (
  { db }: Needed,
  viewer: Viewer,
  id: number,
  reason: string,
): Promise<Adjusted> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    const one = await findAdjustment(tx, id)
    if (!one) throw notFound('adjustment')
    const refusal = whyNotTakenBack(one)
    if (refusal) throw conflict(refusal)
    return takeBack(tx, viewer, one, { reason })
  })

/** Makes the opposite of an adjustment, under `lockProposals`. @param waits why it waits even below the limit */
export async function takeBack(
  tx: Tx,
  viewer: Viewer,
  one: AdjustmentRow,
  { reason, waits }: { reason: string; waits?: string | undefined },
): Promise<Adjusted> {
  const payee = { kind: one.kind, id: one.payeeId }
  const { currency, countsAs } = one
  const amount = -one.amount
  const limit = await findAdjustmentLimit(tx, { ...payee, currency })
  const why = takeBackWaits(one, viewer, limit) ? whyAbove({ currency, amount }, limit) : waits
  return adjust(tx, {
    act: {
      kind: 'adjustment',
      payee,
      currency,
      amount,
      countsAs,
      oppositeOf: one.id,
      heldBackFor: null,
    },
    reason,
    why: why ?? null,
    madeAt: tx.now,
    madeBy: { id: viewer.accountId, name: viewer.username },
  })
}

/** An adjustment that somebody enters. `why`: why it waits for a second person; null: it needs nobody else. */
type EnteredAdjustment = Omit<Proposal<'adjustment'>, 'id' | 'why'> & { why: string | null }

/** Makes an adjustment, or leaves it to a second person. @throws ForgedError as `adjustAll` */
async function adjust(tx: Tx, entered: EnteredAdjustment): Promise<Adjusted> {
  const [adjusted] = await adjustAll(tx, [entered])
  return adjusted ?? { id: null, proposalId: null }
}

/**
 * Makes adjustments, or leaves them to a second person.
 *
 * @throws ForgedError if one needs nobody else by limits, or by earlier adjustments, that are forged
 */
export async function adjustAll(
  tx: Tx,
  all: readonly EnteredAdjustment[],
): Promise<readonly Adjusted[]> {
  const alone = all.filter(({ why }) => why === null)
  if (alone.length > 0) await refuseForged(tx, { payees: alone.map(({ act }) => act.payee) })
  const made: Adjusted[] = []
  for (const { why, ...entered } of all)
    made.push(
      why === null
        ? { id: await insertAdjustment(tx, adjustmentOf(entered)), proposalId: null }
        : { id: null, proposalId: await insertProposal(tx, { ...entered, why }) },
    )
  return made
}

const adjustmentOf = ({ act, ...entered }: Omit<Proposal<'adjustment'>, 'id' | 'why'>) => ({
  ...act,
  ...entered,
})

/**
 * Whether taking an adjustment back waits. Whoever entered it alone may undo it alone, as long as it is on no statement:
 * then it is as if it had never been.
 */
export const takeBackWaits = (
  {
    amount,
    approvedBy,
    statementId,
    madeById,
  }: Pick<AdjustmentRow, 'amount' | 'approvedBy' | 'statementId' | 'madeById'>,
  { accountId }: Pick<Viewer, 'accountId'>,
  limit: AdjustmentLimit,
): boolean => {
  const undoes = statementId === null && approvedBy === null && madeById === accountId
  return !undoes && isAboveLimit(-amount, limit)
}

function whyNotTakenBack({ takenBackBy, oppositeOf }: AdjustmentRow): string | undefined {
  if (takenBackBy !== null) return 'This adjustment has already been taken back.'
  if (oppositeOf !== null)
    return 'This adjustment takes back another one, so it can’t be taken back.'
  return undefined
}

/** Why an adjustment that is above its limit waits, in a sentence. */
export function whyAbove(
  { currency, amount }: { currency: Currency; amount: number },
  { limit, added, subtracted }: AdjustmentLimit,
): string {
  const before = amount > 0 ? added : -subtracted
  const limitText = `the limit of ${moneyText(limit, currency)}`
  return Math.abs(amount) > limit
    ? `It is above ${limitText}.`
    : `Together with ${moneyText(before, currency)} that nobody has approved, it is above ${limitText}.`
}

/** @throws VALIDATION_ERROR */
export function refuseOther(currency: Currency, paidIn: Currency): void {
  if (currency !== paidIn)
    throw invalid({ currency: [paidIn === 'PHP' ? 'must be pesos' : 'must be dollars'] })
}

/** Why a proposed adjustment can't be approved any more; undefined if it can. */
async function whyAdjustmentOutdated(
  db: DbOrTx,
  { act }: Proposal<'adjustment'>,
): Promise<string | undefined> {
  if (!(await isPayee(db, act.payee))) return `The ${act.payee.kind} no longer exists.`
  const takenBack = act.oppositeOf === null ? undefined : await findAdjustment(db, act.oppositeOf)
  if (takenBack) return whyNotTakenBack(takenBack)
  if (act.heldBackFor !== null && !(await isAgent(db, act.heldBackFor)))
    return 'The agent for whom it holds back money no longer exists.'
  const paidIn = await findCurrency(db, act.payee)
  return paidIn === act.currency
    ? undefined
    : `The payee is paid in ${paidIn === 'PHP' ? 'pesos' : 'dollars'} now.`
}

/** An adjustment above its limit. It bears the name of whoever entered it. */
export const adjustment: ActOfTwo<'adjustment'> = {
  lock: 'proposals',
  whyOutdated: whyAdjustmentOutdated,
  carryOut: (tx, { act, reason, madeBy }) =>
    insertAdjustment(tx, adjustmentOf({ act, reason, madeBy, madeAt: tx.now })),
  present: ({ kind, payee, currency, amount, countsAs, oppositeOf, heldBackFor }, names) => ({
    kind,
    payee: names.payee(payee),
    currency,
    amount,
    countsAs,
    takesBack: oppositeOf !== null,
    heldBackFor: heldBackFor === null ? null : names.payee({ kind: 'agent', id: heldBackFor }).name,
  }),
}
