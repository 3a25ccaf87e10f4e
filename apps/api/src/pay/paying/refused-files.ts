import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { dayOf } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'
import { findBank } from '../terms/bank.ts'
import { leftOn, type LineRow } from '../runs/payment-runs.queries.ts'
import { currencyOf, fileOf, getRun, linesToPay, payeeOf, type Run, sumOf } from '../runs/run.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { changeRun, lockRun, type RunServices } from './change-run.ts'
import { store } from './results.ts'
import { whyImpossible } from './returns.ts'

/**
 * Enters that the bank refused a whole file: its lines without a result failed. It waits for a second person, because it puts
 * money back without the bank’s file.
 *
 * @throws NOT_FOUND; CONFLICT unless the file was downloaded, none of its lines was reported paid and one has no result, or if
 * it was entered before; VALIDATION_ERROR for a day on which the bank can't have refused it.
 */
export const enterRefusedFile = (
  services: RunServices,
  viewer: Viewer,
  id: number,
  {
    name,
    refusedOn,
    reason,
  }: RequestOf<(typeof paymentResultsEndpoints)['enterRefusedFile']>['body'],
): Promise<AnswerOf<(typeof paymentResultsEndpoints)['enterRefusedFile']>> => {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    const problem = whyNotRefused(run, name)
    if (problem !== undefined) throw conflict(problem)
    const download = run.downloads.find((one) => one.name === name)
    const why = whyImpossible(
      refusedOn,
      await findBank(tx),
      download && { what: `${name} was`, on: leftOn(download) },
    )
    if (why !== undefined) throw invalid({ refusedOn: [why] })
    const proposalId = await insertProposal(tx, {
      act: {
        kind: 'refused file',
        runId: run.id,
        file: name,
        currency: currencyOf(run),
        amount: sumOf(openLines(run, name)),
        refusedOn,
      },
      reason,
      why: 'It puts money back without the bank’s file.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
    return { proposalId }
  })
}

const linesOf = (run: Run, name: string): LineRow[] =>
  linesToPay(run).filter((line) => fileOf(run, line) === name)

/** The lines of a file that have no result. */
const openLines = (run: Run, name: string): LineRow[] =>
  linesOf(run, name).filter(({ paid }) => paid === null)

/**
 * Why it can't be entered that the bank refused a file, and what to do, in a sentence or two; undefined if it can.
 *
 * @throws NOT_FOUND for a file that the run does not have.
 */
function whyNotRefused(run: Run, name: string): string | undefined {
  const { state, files, refused, downloads } = run
  if (state === 'prepared')
    return 'This run is not approved, so it has no files. Cancel it instead.'
  if (state === 'cancelled') return 'This run was cancelled, so the bank has no file of it.'
  if (!files.some((file) => file.name === name)) throw notFound('file')
  const before = refused.find(({ file }) => file === name)
  if (before)
    return before.waits
      ? `${before.by} has already entered that the bank refused this file, which waits for a second person.`
      : before.byMessage
        ? `The bank’s message that ${before.by} read has already refused this file on ${before.on}.`
        : `${before.by} has already entered that the bank refused this file on ${before.on}.`
  if (!downloads.some((one) => one.name === name))
    return `Nobody has downloaded this file, so the bank can’t have refused it. ${
      state === 'approved'
        ? 'Cancel the run instead.'
        : 'Enter its lines as failed if it must not leave.'
    }`
  if (linesOf(run, name).length === 0)
    return 'Which lines this file has is not known: the run was approved before that was kept. Enter the results line by line.'
  return whyTaken(run, name)
}

/** Why the bank has taken a file, in a sentence or two; undefined if nothing says so. */
function whyTaken(run: Run, name: string): string | undefined {
  const paid = linesOf(run, name).filter((line) => line.paid === true)
  const [first] = paid
  if (first) {
    const others = paid.length > 1 ? ` and ${paid.length - 1} more of its lines` : ''
    const verb = paid.length > 1 ? 'were' : 'was'
    return `${first.reference} to ${first.payee_name}${others} ${verb} reported paid, so the bank took this file. Enter the lines that failed by hand.`
  }
  return openLines(run, name).length === 0
    ? 'Each line of this file has a result already.'
    : undefined
}

/** Why a proposed refusal can't be approved any more; undefined if it can. */
async function whyRefusalOutdated(
  db: DbOrTx,
  { act: { runId, file, amount, currency } }: Proposal<'refused file'>,
): Promise<string | undefined> {
  const run = await getRun(db, runId)
  const taken = whyTaken(run, file)
  if (taken !== undefined) return taken
  const left = sumOf(openLines(run, file))
  return left === amount
    ? undefined
    : `Lines of this file have got results in the meantime: ${moneyText(left, currency)} of ${moneyText(amount, currency)} have none.`
}

/** A file that the bank refused. Its failures bear the name of whoever entered it. */
export const refusedFile: ActOfTwo<'refused file'> = {
  lock: 'balances',
  whyOutdated: whyRefusalOutdated,
  async carryOut(tx, { act: { runId, file, refusedOn }, reason, madeBy }, approver) {
    const run = await lockRun(tx, runId)
    const lines = openLines(run, file)
    await refuseForged(tx, { payees: lines.map(payeeOf), run })
    await store(tx, {
      run,
      taken: lines.map((line, index) => ({
        line,
        result: {
          place: index + 1,
          reference: line.reference,
          paid: false,
          reason,
          bankReference: '',
        },
        means: 'failed',
      })),
      byHand: true,
      by: approver,
      resultsBy: { accountId: madeBy.id, username: madeBy.name },
      returnedOn: dayOf(tx.now),
      refusedOn,
    })
    await tellPayees(
      tx,
      lines.map((line) => ({
        kind: 'failed',
        payee: payeeOf(line),
        amount: line.amount,
        currency: currencyOf(line),
      })),
      approver.accountId,
    )
    return null
  },
  present: ({ kind, currency, amount, runId, file, refusedOn }, names) => ({
    kind,
    currency,
    amount,
    run: names.run(runId),
    file,
    refusedOn,
  }),
}
