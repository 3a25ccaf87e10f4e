import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type {
  LeftOut,
  PaymentRun,
  paymentRunsEndpoints,
  RunFile,
  RunItem,
  RunLine,
  RunState,
} from '@tallyroom/contract/pay/runs/runs'
import { hasDate } from '@tallyroom/contract/pay/files/files'
import type { Day } from '@tallyroom/domain/new-york'
import { institutionName } from '@tallyroom/domain/institutions'
import type { Currency } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { RunServices } from './change-run.ts'
import { openFile } from '../runs/approved-files.ts'
import { bytesOf } from '../files/file-bytes.ts'
import { filesOf } from '../files/pay-file.ts'
import {
  type FileRow,
  findClosedPeriods,
  findRuns,
  type LineRow,
  type RefusalRow,
  type RunSummary,
} from '../runs/payment-runs.queries.ts'
import { findApprovers } from '../runs/approvers.ts'
import { needsDay } from '../runs/execution-day.ts'
import { findBank } from '../terms/bank.ts'
import type { Proposal } from '../ledger/proposals.queries.ts'
import { findWaitingFailures, type WaitingFailure } from './results.ts'
import { findWaitingReturns } from './returns.ts'
import { byPayee } from '../runs/refused-lines.ts'
import { reviewOf } from './review.ts'
import { findStops, type Stop, whyRefused, whyStopped } from './stopped-files.ts'
import {
  type ApprovedFile,
  fileOf,
  getRun,
  linesToPay,
  payeeOf,
  problemsOf,
  type Run,
  stateOf,
  sumOf,
  transfersOf,
  withoutParts,
} from '../runs/run.ts'
import { nowOf } from '../../db/transaction.ts'

type Calls = typeof paymentRunsEndpoints

/** The newest runs that the list has: twenty years of half-months. */
const MOST_RUNS = 500

export async function listRuns({
  db,
}: Pick<RunServices, 'db'>): Promise<AnswerOf<Calls['paymentRuns']>> {
  const runs = await findRuns(db, MOST_RUNS)
  const periods = await findClosedPeriods(db)
  const bank = await findBank(db)
  return { runs: runs.map(itemOf), periods: periods.map(({ name }) => name), bank }
}

export async function presentRun(
  services: RunServices,
  viewer: Viewer,
  id: number,
): Promise<PaymentRun> {
  const { db } = services
  const run = await getRun(db, id)
  const { transfers, accounts } = await transfersOf(services, db, run)
  const returns = await findWaitingReturns(db)
  const failures = await findWaitingFailures(db, run)
  const bank = await findBank(db)
  const isCancelled = run.state === 'cancelled'
  const toPay = linesToPay(run)
  const approvers = run.state === 'prepared' ? await findApprovers(db, nowOf(db), run) : []
  // Of a finished run, nobody expects a file to leave.
  const stops = run.state === 'approved' || run.state === 'sent' ? await findStops(db, run) : []
  const files = isCancelled
    ? []
    : run.files.length > 0
      ? run.files.map((file) => ({
          ...approvedOf(run, file),
          needsDay: needsDay(run, file, bank.today),
          stopped: stoppedIn(run, stops, file.name, () => openFile(services, file)),
        }))
      : filesOf(run.layout, run.number, transfers).map((file) => ({
          ...madeOf(run, file),
          needsDay: false,
          stopped: stoppedIn(run, stops, file.name, () => bytesOf(run.layout, file)),
        }))
  return {
    ...itemOf({
      ...run,
      steps: run.steps.map(({ step }) => step),
      lines: toPay.length,
      payees: withoutParts(toPay).length,
      amount: sumOf(toPay),
      paid: toPay.filter(({ paid, returned_on }) => paid === true && returned_on === null).length,
      failed: toPay.filter(({ paid }) => paid === false).length,
      returned: toPay.filter(({ returned_on }) => returned_on !== null).length,
    }),
    template: { id: run.template.id, name: run.template.name },
    results: run.template.layout.results,
    executionDay: run.executionDay,
    bank,
    lines: run.lines.map((line) => {
      const account = accounts.get(line.account_id)
      return {
        ...lineOf(run, line),
        failureWaits: failureOf(line, failures.get(line.id)),
        returnWaits: returnOf(line, returns.get(line.id)),
        refused: refusalOf(run.refusals.get(line.id)),
        institutionName: institutionName(account?.institution ?? ''),
        lastCharacters: account?.last_characters ?? '',
      }
    }),
    leftOut: run.left_out as unknown as LeftOut[], // written by `prepareRun`; the answer's schema checks it
    steps: run.steps.map(({ step, made_at, made_by_name, reason }) => ({
      step: step as PaymentRun['steps'][number]['step'], // payment_run_steps__step
      at: made_at.toISOString(),
      by: made_by_name,
      reason,
    })),
    files: files.map((file) => ({
      ...file,
      downloads: run.downloads
        .filter((one) => one.name === file.name)
        .map(({ id: downloadId, made_at, made_by_name }) => ({
          id: downloadId,
          at: made_at.toISOString(),
          by: made_by_name,
        })),
    })),
    fileProblems:
      run.state === 'prepared' || run.state === 'approved' ? problemsOf(run, transfers) : [],
    toApprove: run.state === 'prepared' ? await toApprove(services, run, viewer) : null,
    approvers: approvers.map(({ name, whyNot, from }) => ({
      name,
      whyNot,
      from: from?.toISOString() ?? null,
    })),
    whyYouCannotApprove: approvers.find((one) => one.id === viewer.accountId)?.whyNot ?? null,
  }
}

async function toApprove(
  services: RunServices,
  run: Run,
  viewer: Viewer,
): Promise<NonNullable<PaymentRun['toApprove']>> {
  const { lines, refused, news } = await reviewOf(services, services.db, run, viewer)
  return {
    amount: sumOf(lines),
    refused: byPayee(refused).map(({ line, why }) => ({
      lineId: line.id,
      name: line.payee_name,
      why,
    })),
    news,
  }
}

const approvedOf = (run: Run, { name, channel, lines, amount, sha256, redated }: ApprovedFile) => ({
  name,
  channel,
  lines,
  amount,
  sha256: sha256.toString('hex'),
  executionDay: redated?.execution_day ?? dateIn(run),
  redated: redatedOf(redated),
  refused: refusedOf(run, name),
})

function refusedOf({ refused }: Run, name: string): RunFile['refused'] {
  const one = refused.find(({ file }) => file === name)
  if (!one) return null
  const { on, by, reason, waits, byMessage } = one
  return { on, by, reason, waits, byMessage }
}

const dateIn = ({ layout, executionDay }: Run): Day | null =>
  hasDate(layout) ? executionDay : null

const redatedOf = (file: FileRow | undefined): RunFile['redated'] =>
  file?.made_at && file.made_by_name !== null
    ? {
        by: file.made_by_name,
        at: file.made_at.toISOString(),
        sha256: file.sha256.toString('hex'),
      }
    : null

/** The files of a run that is not approved, or was before files were kept. */
const madeOf = (run: Run, { name, channel, transfers }: ReturnType<typeof filesOf>[number]) => ({
  name,
  channel,
  lines: transfers.length,
  amount: sumOf(transfers),
  sha256: null,
  executionDay: dateIn(run),
  redated: null,
  refused: null,
})

function stoppedIn(
  run: Run,
  stops: readonly Stop[],
  name: string,
  read: () => ReturnType<typeof openFile>,
): string | null {
  const refused = whyRefused(run, name)
  if (refused !== null) return refused
  const bytes = stops.length === 0 ? null : read()
  // Downloading says why a file can't be read.
  return Buffer.isBuffer(bytes) ? whyStopped(run, stops, { name, bytes }) : null
}

const itemOf = ({ steps, prepared_at, prepared_by_name, ...run }: RunSummary): RunItem => ({
  ...run,
  state: stateOf(steps),
  currency: run.currency as Currency, // payment_runs__currency
  preparedAt: prepared_at.toISOString(),
  preparedBy: prepared_by_name,
})

const lineOf = (
  run: Run,
  line: LineRow,
): Omit<
  RunLine,
  'institutionName' | 'lastCharacters' | 'failureWaits' | 'returnWaits' | 'refused'
> => ({
  id: line.id,
  payee: { ...payeeOf(line), name: line.payee_name },
  amount: line.amount,
  part: line.part,
  partOf:
    line.of_balance === null ? null : { balance: line.of_balance, reason: line.part_reason ?? '' },
  reference: line.reference,
  file: fileOf(run, line),
  state: lineState(line, run.state),
  by: line.removed_by_name ?? line.result_by,
  reason: line.removed_because ?? line.result_reason,
  bankReference: line.bank_reference,
  paidOn: line.paid_on,
  failedOn: line.failed_on ?? line.refused_on,
  returned:
    line.returned_on === null
      ? null
      : { on: line.returned_on, by: line.returned_by ?? '', reason: line.return_reason ?? '' },
})

/** Once the bank's file says what became of the transfer, the failure that waits says nothing any more. */
const failureOf = (
  { paid }: LineRow,
  failure: WaitingFailure | undefined,
): RunLine['failureWaits'] =>
  failure && paid === null ? { by: failure.by, reason: failure.reason } : null

const returnOf = (
  { returned_on }: LineRow,
  waiting: Proposal<'return'> | undefined,
): RunLine['returnWaits'] =>
  waiting && returned_on === null
    ? { on: waiting.act.returnedOn, by: waiting.madeBy.name, reason: waiting.reason }
    : null

const refusalOf = (refusal: RefusalRow | undefined): RunLine['refused'] =>
  refusal
    ? {
        on: refusal.refused_on,
        reason: refusal.reason,
        by: refusal.made_by_name,
        at: refusal.made_at.toISOString(),
        message: {
          name: refusal.message,
          id: refusal.message_id,
          sha256: refusal.sha256.toString('hex'),
        },
        paidOn: refusal.paid_on,
        isOpen: refusal.is_open,
        settled:
          refusal.settled_at === null
            ? null
            : {
                at: refusal.settled_at.toISOString(),
                by: refusal.settled_by ?? '',
                note: refusal.note ?? '',
              },
      }
    : null

function lineState(line: LineRow, run: RunState): RunLine['state'] {
  if (line.removed_because !== null) return 'removed'
  if (line.returned_on !== null) return 'returned'
  if (line.paid !== null) return line.paid ? 'paid' : 'failed'
  // A run is finished once each transfer has a result.
  return run === 'finished' ? 'sent' : run
}
