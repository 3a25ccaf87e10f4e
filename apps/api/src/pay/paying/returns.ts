import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type Day, formatDateTime } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { insertSealedRows } from '../../seals/index.ts'
import { findWaitingOf, insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import { settle } from '../ledger/settle.ts'
import { changeRun, entryOf, type RunServices } from './change-run.ts'
import { type Bank, findBank } from '../terms/bank.ts'
import { findLine, leftOn, type LineRow, type RefusalRow } from '../runs/payment-runs.queries.ts'
import { linesToPay, payeeOf, type Run } from '../runs/run.ts'
import type { ActOfTwo, Doer } from '../proposals/act-of-two.ts'

type WaitingReturn = Proposal<'return'>

/**
 * Enters by hand that a transfer that was paid came back. It waits for a second person, because it puts money back without
 * the bank’s file.
 *
 * @throws NOT_FOUND; CONFLICT unless the line was paid and neither came back nor waits; VALIDATION_ERROR for a day on which
 * it can't have come back.
 */
export const returnPayment = (
  services: RunServices,
  viewer: Viewer,
  id: number,
  {
    lineId,
    returnedOn,
    reason,
  }: RequestOf<(typeof paymentResultsEndpoints)['returnPayment']>['body'],
): Promise<AnswerOf<(typeof paymentResultsEndpoints)['returnPayment']>> => {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    const line = linesToPay(run).find((one) => one.id === lineId)
    if (!line) throw notFound('line')
    const problem = whyNotPaid(line)
    if (problem !== undefined) throw conflict(problem)
    const waiting = (await findWaitingReturns(tx)).get(lineId)
    if (waiting) {
      throw conflict(
        `${waiting.madeBy.name} has already entered that ${line.reference} came back, which waits for a second person.`,
      )
    }
    refuseImpossibleDay(run, returnedOn, await findBank(tx))
    const proposalId = await insertProposal(tx, {
      act: {
        kind: 'return',
        payee: payeeOf(line),
        currency: line.currency as Currency, // payment_run_lines__currency
        amount: line.amount,
        runLineId: line.id,
        returnedOn,
      },
      reason,
      why: whyOfReturn(run.refusals.get(lineId)),
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
    return { proposalId }
  })
}

/** Who approves it reads what somebody entered before that says otherwise. */
function whyOfReturn(refusal: RefusalRow | undefined): string {
  const why = 'It puts money back without the bank’s file.'
  return refusal?.settled_at
    ? `${why} ${refusal.settled_by} entered on ${formatDateTime(refusal.settled_at)} that it was paid after all: “${refusal.note}”.`
    : why
}

/** Why a line has nothing that could come back, in a sentence; undefined if it has. */
function whyNotPaid({ reference, paid, returned_on }: LineRow): string | undefined {
  if (paid === null) return `${reference} has no result yet. Enter that it failed.`
  if (!paid) return `${reference} failed, so its amount is in the balance already.`
  if (returned_on !== null)
    return `${reference} came back on ${returned_on}, which has been entered already.`
  return undefined
}

/** @throws VALIDATION_ERROR for a day before the files were taken, or one that has not begun where the bank is. */
export function refuseImpossibleDay({ downloads, number }: Run, returnedOn: Day, bank: Bank): void {
  const [first] = downloads
  const why = whyImpossible(
    returnedOn,
    bank,
    first && { what: `the files of ${number} were`, on: leftOn(first) },
  )
  if (why !== undefined) throw invalid({ returnedOn: [why] })
}

/** Why something that the bank says of what was downloaded can't be of this day; undefined if it can. */
export function whyImpossible(
  day: Day,
  { today }: Pick<Bank, 'today'>,
  downloaded: { what: string; on: Day } | undefined,
): string | undefined {
  if (day > today) return `must not be after ${today}, today where the bank is`
  return downloaded && day < downloaded.on
    ? `must not be before ${downloaded.on}, when ${downloaded.what} downloaded`
    : undefined
}

/** Returns that were entered by hand and wait for a second person, by line. */
export const findWaitingReturns = async (db: DbOrTx): Promise<ReadonlyMap<number, WaitingReturn>> =>
  new Map((await findWaitingOf(db, 'return')).map((one) => [one.act.runLineId, one]))

/** Why a proposed return can't be approved any more; undefined if it can. */
async function whyReturnOutdated(db: DbOrTx, { act }: WaitingReturn): Promise<string | undefined> {
  const line = await findLine(db, act.runLineId)
  if (line?.returned_on == null) return undefined
  return `${line.returned_by} has entered it in the meantime.`
}

/** Puts the amounts of transfers that came back into the balances. Their results stay, and their references stay used. */
export async function storeReturns(
  tx: Tx,
  {
    returns,
    byHand,
    by,
  }: {
    returns: readonly { line: LineRow; reason: string; returnedOn: Day }[]
    byHand: boolean
    by: Doer
  },
): Promise<void> {
  await insertSealedRows(
    tx,
    'payment_returns',
    returns.map(({ line, reason, returnedOn }) => ({
      run_line_id: line.id,
      returned_on: returnedOn,
      reason,
      by_hand: byHand,
      made_at: tx.now,
      made_by: by.accountId,
      made_by_name: by.username,
    })),
  )
  await insertRows(
    tx,
    'balance_entries',
    returns.map(({ line }) => entryOf(tx, line, 'returned', by)),
  )
  await settle(
    tx,
    returns.map(({ line }) => payeeOf(line)),
  )
}

/** A return that was entered by hand. It bears the name of whoever entered it. */
export const paymentReturn: ActOfTwo<'return'> = {
  lock: 'balances',
  whyOutdated: whyReturnOutdated,
  async carryOut(tx, { act: { runLineId, returnedOn }, reason, madeBy }) {
    const line = await findLine(tx, runLineId)
    if (!line) throw notFound('payment run line')
    await storeReturns(tx, {
      returns: [{ line, reason, returnedOn }],
      byHand: true,
      by: { accountId: madeBy.id, username: madeBy.name },
    })
    return runLineId
  },
  present: ({ kind, payee, currency, amount, runLineId, returnedOn }, names) => ({
    kind,
    payee: names.payee(payee),
    currency,
    amount,
    ...names.transfer(runLineId),
    returnedOn,
  }),
  tells: ({ payee, amount, currency }) => [{ kind: 'returned', payee, amount, currency }],
}
