import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { isXml } from '../../lib/files/read-xml.ts'
import { insertSealedRows } from '../../seals/index.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { settle } from '../ledger/settle.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { findWaitingOf, insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import { changeRun, entryOf, lockRun, type RunServices, stepOf } from './change-run.ts'
import { findBank } from '../terms/bank.ts'
import { closeLines, findLine, findRunsOfReferences } from '../runs/payment-runs.queries.ts'
import type { Others, Problem, Result } from '../files/result-file.ts'
import { compare, type Taken } from './compare-results.ts'
import { readBankMessage, readFile } from './read-results.ts'
import { contradicted, storeRefusals } from './refusals.ts'
import { refuseImpossibleDay, storeReturns } from './returns.ts'
import { currencyOf, fileOf, linesToPay, payeeOf, type Run, transfersOf } from '../runs/run.ts'
import { rememberColumns } from '../runs/templates.ts'
import type { ActOfTwo, Doer } from '../proposals/act-of-two.ts'

type Calls = typeof paymentResultsEndpoints
type Counts = { paid: number; failed: number; known: number }

/** A failure that was entered by hand, of a transfer or of its file, and waits for a second person. */
export type WaitingFailure = { by: string; reason: string; file: string | null }

/**
 * Enters results by hand: all of them or none. A failure puts money back without the bank’s file, so it waits for a second
 * person.
 *
 * @throws CONFLICT before a file was taken; VALIDATION_ERROR by line for references that are unknown, repeated, in a file that
 * was not taken, or that already have another result.
 */
export async function enterResults(
  services: RunServices,
  viewer: Viewer,
  id: number,
  body: RequestOf<Calls['enterPaymentResults']>['body'],
): Promise<AnswerOf<Calls['enterPaymentResults']>> {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    refuseUnsent(run)
    const waiting = await findWaitingFailures(tx, run)
    const results: Result[] =
      'lines' in body
        ? body.lines.map((line, index) => ({ ...line, place: index + 1 }))
        : linesToPay(run)
            .filter(
              ({ id: lineId, paid, sent_at }) =>
                paid === null && sent_at !== null && !waiting.has(lineId),
            )
            .map(({ reference }, index) => ({
              place: index + 1,
              reference,
              paid: true,
              reason: '',
              bankReference: '',
            }))
    const compared = compare(run, results, { byHand: true })
    const problems = [...compared.problems, ...problemsWithWaiting(compared.taken, waiting)]
    if (problems.length > 0) {
      throw invalid(
        Object.fromEntries(
          problems.map(({ line, problem }) => [`lines.${line - 1}.reference`, [problem]]),
        ),
      )
    }
    const { taken } = compared
    const failures = taken.filter(({ means }) => means === 'failed')
    const fresh = failures.filter(({ line }) => !waiting.has(line.id))
    await refuseForged(tx, { payees: taken.map(({ line }) => payeeOf(line)) })
    for (const failure of fresh) await proposeFailure(tx, viewer, failure)
    const { paid, known } = await store(tx, {
      run,
      taken: taken.filter((one) => !failures.includes(one)),
      byHand: true,
      by: viewer,
      resultsBy: viewer,
      returnedOn: dayOf(tx.now),
    })
    return { paid, waiting: fresh.length, known: known + failures.length - fresh.length }
  })
}

/**
 * Checks a bank's result file, or imports those of its lines that are understood. The template remembers its columns; a message
 * by ISO 20022 has none.
 *
 * @throws CONFLICT before the files were taken; VALIDATION_ERROR about `file` if a file is imported that can't be read, and
 * about `othersSeen` if it has lines of others that the caller has not seen.
 */
export async function readResultFile(
  services: RunServices,
  viewer: Viewer,
  id: number,
  {
    file,
    columns,
    take,
    othersSeen,
    guessesSeen,
    returnedOn,
  }: RequestOf<Calls['readResultFile']>['body'],
): Promise<AnswerOf<Calls['readResultFile']>> {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    refuseUnsent(run)
    const bank = await findBank(tx)
    if (returnedOn !== undefined) refuseImpossibleDay(run, returnedOn, bank)
    const bytes = Buffer.from(file, 'base64')
    const isMessage = isXml(bytes)
    const { taken, others, refusals, ...read } = isMessage
      ? readBankMessage(run, bytes, {
          bank,
          accounts: await accountsIn(services, tx, run),
          seen: new Set(guessesSeen),
        })
      : readFile(run, bytes, columns)
    const counts = countsOf(taken)
    const refusedNow = contradicted(run, refusals).length
    const answer = {
      ...read,
      others: { lines: others.lines, amount: others.amount, ofRuns: await runsOf(tx, others) },
      ...counts,
      known: counts.known + refusals.of.length - refusedNow,
      contradicted: refusedNow,
      returned: taken
        .filter(({ means }) => means === 'returned')
        .map(({ line: { reference, payee_name, amount }, result }) => ({
          reference,
          payee: payee_name,
          amount,
          on: result.on ?? null,
        })),
    }
    if (!take || (!columns && !isMessage)) return answer
    if (read.refused !== null) throw invalid({ file: [read.refused] })
    if (others.lines > 0 && !othersSeen)
      throw invalid({ othersSeen: ['must be seen: the file has lines of others'] })
    if (columns && !isMessage) await rememberColumns(tx, run.template_id, columns)
    await refuseForged(tx, { payees: taken.map(({ line }) => payeeOf(line)) })
    await store(tx, {
      run,
      taken,
      byHand: false,
      by: viewer,
      resultsBy: viewer,
      returnedOn: returnedOn ?? bank.today,
    })
    await storeRefusals(tx, {
      run,
      refusals,
      by: viewer,
      otherwise: bank.today,
    })
    await tellPayees(
      tx,
      taken.flatMap(({ line, means }) =>
        means === 'failed' || means === 'returned'
          ? [
              {
                kind: means,
                payee: payeeOf(line),
                amount: line.amount,
                currency: currencyOf(run),
              },
            ]
          : [],
      ),
      viewer.accountId,
    )
    return answer
  })
}

/** The account numbers of a run's transfers, by reference. One that can't be decrypted is left out. */
async function accountsIn(
  services: RunServices,
  tx: Tx,
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const { transfers } = await transfersOf(services, tx, run)
  return new Map(transfers.map(({ reference, number }) => [reference, number]))
}

/** The other runs that a file is about as well. */
async function runsOf(db: DbOrTx, { references }: Others) {
  const counts = Map.groupBy(await findRunsOfReferences(db, references), ({ number }) => number)
  return [...counts].map(([number, lines]) => ({ number, lines: lines.length }))
}

/** Failures of a run's lines that were entered by hand and wait for a second person, by line. */
export async function findWaitingFailures(
  db: DbOrTx,
  run: Run,
): Promise<ReadonlyMap<number, WaitingFailure>> {
  const ofFiles = new Map(run.refused.filter(({ waits }) => waits).map((one) => [one.file, one]))
  const ofLines = await findWaitingOf(db, 'result')
  return new Map<number, WaitingFailure>([
    ...linesToPay(run).flatMap((line) => {
      const one = line.paid === null ? ofFiles.get(fileOf(run, line) ?? '') : undefined
      return one ? [[line.id, one] as const] : []
    }),
    ...ofLines.map(
      ({ act, madeBy: { name: by }, reason }) =>
        [act.runLineId, { by, reason, file: null }] as const,
    ),
  ])
}

/** Of two people who say the opposite, one has to take it back. */
const problemsWithWaiting = (
  taken: readonly Taken[],
  waiting: ReadonlyMap<number, WaitingFailure>,
): Problem[] =>
  taken.flatMap(({ line, result, means }) => {
    const failure = means === 'paid' ? waiting.get(line.id) : undefined
    if (!failure) return []
    const what =
      failure.file === null ? `${line.reference} failed` : `the bank refused ${failure.file}`
    const problem = `${failure.by} entered that ${what}, which waits for a second person. Refuse or withdraw that first`
    return [{ line: result.place, problem }]
  })

async function proposeFailure(
  tx: Tx,
  { accountId, username }: Doer,
  { line, result }: Taken,
): Promise<void> {
  await insertProposal(tx, {
    act: {
      kind: 'result',
      payee: payeeOf(line),
      currency: currencyOf(line),
      amount: line.amount,
      runLineId: line.id,
      bankReference: result.bankReference || null,
    },
    reason: result.reason,
    why: 'It puts money back without the bank’s file.',
    madeAt: tx.now,
    madeBy: { id: accountId, name: username },
  })
}

/** Why a proposed failure can't be approved any more; undefined if it can. */
async function whyFailureOutdated(
  db: DbOrTx,
  { act }: Proposal<'result'>,
): Promise<string | undefined> {
  const line = await findLine(db, act.runLineId)
  if (line?.paid == null) return undefined
  return `${line.result_by} has entered in the meantime that it ${line.paid ? 'was paid' : 'failed'}.`
}

type ToStore = {
  run: Run
  taken: readonly Taken[]
  byHand: boolean
  /** Who does it now: the run may be finished by it. */
  by: Doer
  /** Who entered the results, and puts money back by them. */
  resultsBy: Doer
  /** The bank's day of what came back, and of files that it refused, if their results don't say it. */
  returnedOn: Day
  /** Its day on which it refused the file of these failures. */
  refusedOn?: Day
}

/** Repeating a known result changes nothing. */
export async function store(
  tx: Tx,
  { run, taken, byHand, by, resultsBy, returnedOn, refusedOn }: ToStore,
): Promise<Counts> {
  const fresh = taken.filter(({ means }) => means === 'paid' || means === 'failed')
  await insertSealedRows(
    tx,
    'payment_results',
    fresh.map(({ line, result }) => ({
      run_line_id: line.id,
      paid: result.paid,
      reason: result.reason || null,
      bank_reference: result.bankReference || null,
      refused_on: refusalOf(result, returnedOn) ?? refusedOn ?? null,
      failed_on: result.paid || result.refusesFile ? null : (result.on ?? null),
      paid_on: result.paid ? (result.on ?? null) : null,
      by_hand: byHand,
      made_at: tx.now,
      made_by: resultsBy.accountId,
      made_by_name: resultsBy.username,
    })),
  )
  await insertRows(
    tx,
    'balance_entries',
    fresh
      .filter(({ result }) => !result.paid)
      .map(({ line }) => entryOf(tx, line, 'failed', resultsBy)),
  )
  await storeReturns(tx, {
    returns: taken
      .filter(({ means }) => means === 'returned')
      .map(({ line, result: { reason, on } }) => ({ line, reason, returnedOn: on ?? returnedOn })),
    byHand,
    by: resultsBy,
  })
  await closeLines(
    tx,
    fresh.map(({ line }) => line.id),
  )
  await settle(
    tx,
    fresh.map(({ line }) => payeeOf(line)),
  )
  const done = new Set(fresh.map(({ line }) => line.id))
  const isFinished = linesToPay(run).every((line) => line.paid !== null || done.has(line.id))
  if (isFinished && run.state === 'sent')
    await insertSealedRows(tx, 'payment_run_steps', {
      ...stepOf(tx, run, by),
      step: 'finished',
    })
  return countsOf(taken)
}

/** On which day the bank refused the file of a failure; undefined if it did not. */
const refusalOf = ({ paid, refusesFile, on }: Result, otherwise: Day): Day | undefined =>
  refusesFile && !paid ? (on ?? otherwise) : undefined

function countsOf(taken: readonly Taken[]): Counts {
  const count = (which: Taken['means']) => taken.filter(({ means }) => means === which).length
  return { paid: count('paid'), failed: count('failed'), known: count('known') }
}

function refuseUnsent({ state }: Run): void {
  if (state === 'sent' || state === 'finished') return
  throw conflict(
    state === 'cancelled'
      ? 'This run was cancelled, so there are no results.'
      : 'Download the files of this run before you enter its results.',
  )
}

/** A failure that was entered by hand. It bears the name of whoever entered it. */
export const failure: ActOfTwo<'result'> = {
  lock: 'balances',
  whyOutdated: whyFailureOutdated,
  async carryOut(tx, { act, reason, madeBy }, approver) {
    const line = await findLine(tx, act.runLineId)
    if (!line) throw notFound('payment run line')
    const run = await lockRun(tx, line.run_id)
    const bankReference = act.bankReference ?? ''
    const result = { place: 1, reference: line.reference, paid: false, reason, bankReference }
    await store(tx, {
      run,
      taken: [{ line, result, means: 'failed' }],
      byHand: true,
      by: approver,
      resultsBy: { accountId: madeBy.id, username: madeBy.name },
      returnedOn: dayOf(tx.now),
    })
    return act.runLineId
  },
  present: ({ kind, payee, currency, amount, runLineId }, names) => ({
    kind,
    payee: names.payee(payee),
    currency,
    amount,
    ...names.transfer(runLineId),
  }),
  tells: ({ payee, amount, currency }) => [{ kind: 'failed', payee, amount, currency }],
}
