import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type Day, formatDateTime } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { conflict, notFound } from '../../errors.ts'
import { writeFacts } from '../../notices/index.ts'
import { insertSealedRows } from '../../seals/index.ts'
import { refuseForged } from '../evidence/evidence.ts'
import type { Doer } from '../proposals/act-of-two.ts'
import { findEnteredBy, type LineRow } from '../runs/payment-runs.queries.ts'
import { currencyOf, linesToPay, payeeOf, type Run, sumOf } from '../runs/run.ts'
import { changeRun, type RunServices } from './change-run.ts'
import type { Refusals } from './read-results.ts'
import { findWaitingReturns } from './returns.ts'

/**
 * Keeps what a message refuses although it was reported paid, and tells who pays. Nothing moves by it: somebody has to ask the
 * bank, unless it came back before.
 */
export async function storeRefusals(
  tx: Tx,
  {
    run,
    refusals,
    by,
    otherwise,
  }: {
    run: Run
    refusals: Refusals
    by: Doer
    /** The day of the refusal, if the message has none. */
    otherwise: Day
  },
): Promise<void> {
  const { message, messageId, sha256, of } = refusals
  await insertSealedRows(
    tx,
    'payment_refusals',
    firstOf(run, of).map(({ line, result: { reason, on } }) => ({
      run_line_id: line.id,
      refused_on: on ?? otherwise,
      reason,
      message,
      message_id: messageId || null,
      sha256,
      made_at: tx.now,
      made_by: by.accountId,
      made_by_name: by.username,
    })),
  )
  const paid = contradicted(run, refusals)
  if (paid.length === 0) return
  const subject = {
    runId: run.id,
    number: run.number,
    transfers: paid.length,
    amount: sumOf(paid),
    currency: currencyOf(run),
  }
  await writeFacts(tx, [{ kind: 'payment.contradicted', of: 'network', subject }], {
    at: tx.now,
    byAccountId: by.accountId,
  })
}

/** Refusals of transfers that no message has refused before. */
const firstOf = ({ refusals }: Run, of: Refusals['of']) =>
  of.filter(({ line }) => !refusals.has(line.id))

/**
 * The transfers that are paid and not owed again, and about which a message asks: none has refused them before, or somebody has
 * settled what another one said.
 */
export function contradicted(
  { refusals }: Run,
  { of, sha256 }: Pick<Refusals, 'of' | 'sha256'>,
): LineRow[] {
  return of
    .map(({ line }) => line)
    .filter(({ id, returned_on }) => {
      const known = refusals.get(id)
      const asks = !known || (known.settled_at !== null && !known.sha256.equals(sha256))
      return asks && returned_on === null
    })
}

/**
 * Enters that transfers were paid after all, although a message of the bank refused their file: all of them or none. They
 * were paid before, so nothing moves, and one person does it: not who entered by hand that they were paid.
 *
 * @throws NOT_FOUND; CONFLICT unless the refusal of each is open, and nobody has entered that it came back.
 */
export const settleRefusals = (
  services: RunServices,
  viewer: Viewer,
  id: number,
  { lineIds, note }: RequestOf<(typeof paymentResultsEndpoints)['settleRefusals']>['body'],
): Promise<AnswerOf<(typeof paymentResultsEndpoints)['settleRefusals']>> => {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    const lines = linesIn(run, lineIds)
    const returns = await findWaitingReturns(tx)
    for (const line of lines) {
      const problem = whyNotOpen(run, line)
      if (problem !== undefined) throw conflict(problem)
      const waiting = returns.get(line.id)
      if (waiting)
        throw conflict(
          `${waiting.madeBy.name} has entered that ${line.reference} came back, which waits for a second person. Refuse or withdraw that first.`,
        )
    }
    await refuseOwnWord(tx, viewer, lines)
    await refuseForged(tx, { payees: lines.map(payeeOf), run })
    await insertSealedRows(
      tx,
      'settled_refusals',
      lines.map((line) => ({
        run_line_id: line.id,
        note,
        made_at: tx.now,
        made_by: viewer.accountId,
        made_by_name: viewer.username,
      })),
    )
    return { settled: lines.length }
  })
}

/** Whoever said by hand that it was paid does not answer for the bank as well. @throws CONFLICT */
async function refuseOwnWord(
  tx: Tx,
  { accountId }: Viewer,
  lines: readonly LineRow[],
): Promise<void> {
  const own = new Set(
    await findEnteredBy(
      tx,
      accountId,
      lines.map(({ id }) => id),
    ),
  )
  const first = lines.find(({ id }) => own.has(id))
  if (first)
    throw conflict(
      `You entered that ${first.reference} was paid, so somebody else asks the bank and enters what it says.`,
    )
}

/** Lines by their ids, each once. @throws NOT_FOUND for one that the run does not pay. */
function linesIn(run: Run, ids: readonly number[]): LineRow[] {
  const lines = new Map(linesToPay(run).map((line) => [line.id, line]))
  return [...new Set(ids)].map((id) => {
    const line = lines.get(id)
    if (!line) throw notFound('line')
    return line
  })
}

/** Why the refusal of a transfer is not open, in a sentence; undefined if it is. */
function whyNotOpen(
  { refusals }: Run,
  { id, reference, returned_on }: LineRow,
): string | undefined {
  const refusal = refusals.get(id)
  if (!refusal) return `No message of the bank refuses ${reference} beside its payment.`
  if (refusal.is_open) return undefined
  return refusal.settled_at === null
    ? `${reference} came back on ${returned_on}, which settles what the bank said.`
    : `${refusal.settled_by} has already entered on ${formatDateTime(refusal.settled_at)} that ${reference} was paid after all.`
}
