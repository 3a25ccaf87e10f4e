import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import { insertSealedRows } from '../../seals/index.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { settle } from '../ledger/settle.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { findWaitingOf, insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import { changeRun, entryOf, lockRun, type RunServices, stepOf } from './change-run.ts'
import { findBank } from '../terms/bank.ts'
import {
  closeLines,
  findLine,
  findRunsOfReferences,
  type LineRow,
} from '../runs/payment-runs.queries.ts'
import {
  likeOf,
  type Others,
  type Problem,
  readResults,
  readTable,
  type Result,
  type Table,
  whyUnreadable,
} from '../files/result-file.ts'
import { refuseImpossibleDay, storeReturns } from './returns.ts'
import { currencyOf, fileOf, linesToPay, payeeOf, type Run } from '../runs/run.ts'
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
 * Checks a bank's result file, or imports those of its lines that are understood. The template remembers its columns.
 *
 * @throws CONFLICT before the files were taken; VALIDATION_ERROR about `file` if a file is imported that can't be read, and
 * about `othersSeen` if it has lines of others that the caller has not seen.
 */
export async function readResultFile(
  services: RunServices,
  viewer: Viewer,
  id: number,
  { file, columns, take, othersSeen, returnedOn }: RequestOf<Calls['readResultFile']>['body'],
): Promise<AnswerOf<Calls['readResultFile']>> {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    refuseUnsent(run)
    const bank = await findBank(tx)
    if (returnedOn !== undefined) refuseImpossibleDay(run, returnedOn, bank)
    const { taken, others, ...read } = readFile(run, Buffer.from(file, 'base64'), columns)
    const answer = {
      ...read,
      others: { lines: others.lines, amount: others.amount, ofRuns: await runsOf(tx, others) },
      ...countsOf(taken),
      returned: taken
        .filter(({ means }) => means === 'returned')
        .map(({ line: { reference, payee_name, amount } }) => ({
          reference,
          payee: payee_name,
          amount,
        })),
    }
    if (!take || !columns) return answer
    if (read.refused !== null) throw invalid({ file: [read.refused] })
    if (others.lines > 0 && !othersSeen)
      throw invalid({ othersSeen: ['must be seen: the file has lines of others'] })
    await rememberColumns(tx, run.template_id, columns)
    await refuseForged(tx, { payees: taken.map(({ line }) => payeeOf(line)) })
    await store(tx, {
      run,
      taken,
      byHand: false,
      by: viewer,
      resultsBy: viewer,
      returnedOn: returnedOn ?? bank.today,
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

type ReadFile = Pick<
  AnswerOf<Calls['readResultFile']>,
  'refused' | 'format' | 'headings' | 'headingsLine' | 'sample' | 'problems' | 'pending'
> & { taken: Taken[]; others: Others }

const nothing: ReadFile = {
  refused: null,
  format: null,
  headings: [],
  headingsLine: 1,
  sample: [],
  problems: [],
  pending: [],
  taken: [],
  others: { lines: 0, amount: 0, references: [] },
}

/** How many lines, and how many cells of each, are shown. */
const MOST_SHOWN = 5
const MOST_CELLS = 100

function readFile(run: Run, bytes: Buffer, columns: ResultColumns | null): ReadFile {
  const ours = new Map(linesToPay(run).map(({ reference }) => [likeOf(reference), reference]))
  const table = tableIn(bytes, columns, new Set(ours.keys()))
  if (typeof table === 'string') return { ...nothing, refused: table }
  const shown = {
    ...nothing,
    format: table.format,
    headings: table.headings,
    headingsLine: table.headingsLine,
    sample: table.rows
      .slice(0, MOST_SHOWN)
      .map(({ cells }) => cells.slice(0, MOST_CELLS).map(({ text }) => text.slice(0, 200))),
  }
  if (!columns) return shown
  const refused = whyUnreadable(table, columns)
  if (refused !== undefined) return { ...shown, refused }
  const { results, problems, pending, others } = readResults(table, columns, ours, {
    currency: currencyOf(run),
    isMinor: columns.minorUnits ?? run.template.layout.decimals === 'none',
  })
  const once = withoutRepeats(results)
  const compared = compare(run, once.results, { byHand: false })
  const decided = new Set(results.map(({ reference }) => reference))
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  return {
    ...shown,
    problems: [...problems, ...once.problems, ...compared.problems].toSorted(
      (one, other) => one.line - other.line,
    ),
    pending: pending.flatMap(({ place, reference, status }) => {
      const line = lines.get(reference)
      if (!line || line.paid !== null || decided.has(reference)) return []
      return [{ line: place, reference, payee: line.payee_name, status }]
    }),
    taken: compared.taken,
    others,
  }
}

/** A file's table, or what it is instead. */
function tableIn(
  bytes: Buffer,
  columns: ResultColumns | null,
  references: ReadonlySet<string>,
): Table | string {
  try {
    return readTable(bytes, columns, references)
  } catch (error) {
    if (error instanceof BadFileError) return error.message
    throw error
  }
}

/** Results of one reference that say the same are one. If they differ, none of them counts. */
function withoutRepeats(all: readonly Result[]): { results: Result[]; problems: Problem[] } {
  const results: Result[] = []
  const problems: Problem[] = []
  for (const [reference, same] of Map.groupBy(all, (one) => one.reference)) {
    const [first, ...rest] = same
    const isSame = rest.every(
      ({ paid, amounts }) =>
        paid === first!.paid && String(amounts ?? '') === String(first!.amounts ?? ''),
    )
    if (isSame) results.push(first!)
    else
      problems.push(
        ...same.map(({ place }) => ({
          line: place,
          problem: `${reference} is on the lines ${same.map((one) => one.place).join(', ')}, which say different things`,
        })),
      )
  }
  return { results, problems }
}

/** The other runs that a file is about as well. */
async function runsOf(db: DbOrTx, { references }: Others) {
  const counts = Map.groupBy(await findRunsOfReferences(db, references), ({ number }) => number)
  return [...counts].map(([number, lines]) => ({ number, lines: lines.length }))
}

/** A result of a line, and what it means there. One that was paid and has failed since came back. */
type Taken = { line: LineRow; result: Result; means: 'paid' | 'failed' | 'returned' | 'known' }

/** Compares results with a run's lines. By hand, a return is an act of its own. */
function compare(
  run: Run,
  results: readonly Result[],
  how: { byHand: boolean },
): { problems: Problem[]; taken: Taken[] } {
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  const seen = new Map<string, number>()
  const problems: Problem[] = []
  const taken: Taken[] = []
  for (const result of results) {
    const line = lines.get(result.reference)
    const earlier = seen.get(result.reference)
    seen.set(result.reference, earlier ?? result.place)
    const problem = problemWith(run, result, line, earlier, how)
    if (problem) problems.push({ line: result.place, problem })
    else if (line) taken.push({ line, result, means: meaningOf(line, result) })
  }
  return { problems, taken }
}

function meaningOf({ paid, returned_on }: LineRow, result: Result): Taken['means'] {
  if (paid === null) return result.paid ? 'paid' : 'failed'
  return paid && !result.paid && returned_on === null ? 'returned' : 'known'
}

function problemWith(
  { currency, number }: Run,
  { reference, amounts, paid, reason }: Result,
  line: LineRow | undefined,
  earlier: number | undefined,
  { byHand }: { byHand: boolean },
): string | undefined {
  const unit = currency as Currency // payment_runs__currency
  if (!line) return `“${reference}” is not a reference of ${number}`
  if (earlier !== undefined) return `“${reference}” is also on line ${earlier}`
  if (amounts && !amounts.includes(line.amount))
    return `the amount is ${moneyText(amounts[0] ?? 0, unit)}, but ${reference} is ${moneyText(line.amount, unit)}`
  if (line.paid === false && paid) return `${reference} failed before, which can’t be changed`
  if (byHand && line.paid && !paid)
    return `${reference} was paid before. If it came back since, enter that it was returned`
  // That it will not be sent can be said by hand: then its file does not leave.
  if (line.paid === null && line.sent_at === null && (paid || !byHand))
    return `${reference} is in ${line.file}, which nobody has downloaded`
  if (!paid && reason === '') return `${reference} failed without a reason`
  return undefined
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
  /** The bank's day of what came back. */
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
      refused_on: refusedOn ?? null,
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
      .map(({ line, result }) => ({ line, reason: result.reason })),
    returnedOn,
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
