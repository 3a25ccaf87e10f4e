import {
  type PayFileLayout,
  payFileLayoutSchema,
  type PayFileTemplate,
} from '@tallyroom/contract/pay-files'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type {
  LeftOut,
  PaymentRun,
  paymentRunsEndpoints,
  RunItem,
  RunLine,
  RunState,
} from '@tallyroom/contract/payment-runs'
import { institutionName } from '@tallyroom/domain/institutions'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { PayeeKey } from '../pay/index.ts'
import { accountSeals, findAccounts } from '../payee-accounts/index.ts'
import { findConfirmers, findPayHolders } from './approvers.queries.ts'
import { filesOf, type PayFile, problemOf, type Transfer } from './pay-file.ts'
import {
  type DownloadRow,
  findClosedPeriods,
  findDownloads,
  findLines,
  findRun,
  findRuns,
  findSteps,
  type LineRow,
  type RunRow,
  type RunSummary,
  type StepRow,
} from './payment-runs.queries.ts'
import { getTemplate } from './templates.ts'

type Calls = typeof paymentRunsEndpoints

/** The newest runs that the list has: twenty years of half-months. */
const MOST_RUNS = 500

export type Run = RunRow & {
  steps: StepRow[]
  lines: LineRow[]
  /** Of its files, oldest first. */
  downloads: DownloadRow[]
  state: RunState
  template: PayFileTemplate
  /** How its files look: like the template, until the first file is taken. */
  layout: PayFileLayout
}

/** @throws NOT_FOUND */
export async function getRun(db: DbOrTx, id: number): Promise<Run> {
  const run = await findRun(db, id)
  if (!run) throw notFound('payment run')
  const steps = await findSteps(db, id)
  const lines = await findLines(db, id)
  const downloads = await findDownloads(db, id)
  const template = await getTemplate(db, run.template_id)
  const state = stateOf(steps.map(({ step }) => step))
  const kept = steps.find(({ step }) => step === 'files taken')?.layout
  const layout = kept ? payFileLayoutSchema.parse(kept) : template.layout
  return { ...run, steps, lines, downloads, template, layout, state }
}

/** The lines that were not taken out. */
export const linesToPay = ({ lines }: Pick<Run, 'lines'>): LineRow[] =>
  lines.filter(({ removed_because }) => removed_because === null)

export const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

export async function listRuns(db: DbOrTx): Promise<AnswerOf<Calls['paymentRuns']>> {
  const runs = await findRuns(db, MOST_RUNS)
  const periods = await findClosedPeriods(db)
  return { runs: runs.map(itemOf), periods: periods.map(({ name }) => name) }
}

export async function presentRun(
  services: Pick<Services, 'db' | 'secret' | 'formerSecrets'>,
  viewer: Viewer,
  id: number,
): Promise<PaymentRun> {
  const { db } = services
  const run = await getRun(db, id)
  const { transfers, accounts } = await transfersOf(services, db, run)
  const isCancelled = run.state === 'cancelled'
  const toPay = linesToPay(run)
  const approvers = run.state === 'prepared' ? await findApprovers(db, run) : []
  const files: PayFile[] = isCancelled ? [] : filesOf(run.layout, run.number, transfers)
  return {
    ...itemOf({
      ...run,
      steps: run.steps.map(({ step }) => step),
      lines: toPay.length,
      amount: sumOf(toPay),
      paid: toPay.filter(({ paid }) => paid === true).length,
      failed: toPay.filter(({ paid }) => paid === false).length,
    }),
    template: { id: run.template.id, name: run.template.name },
    results: run.template.layout.results,
    lines: run.lines.map((line) => {
      const account = accounts.get(line.account_id)
      return {
        ...lineOf(line, isCancelled),
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
    files: files.map(({ name, channel, transfers: inFile }) => ({
      name,
      channel,
      lines: inFile.length,
      amount: sumOf(inFile),
      downloads: run.downloads
        .filter((one) => one.name === name)
        .map(({ id: downloadId, made_at, made_by_name }) => ({
          id: downloadId,
          at: made_at.toISOString(),
          by: made_by_name,
        })),
    })),
    fileProblems:
      run.state === 'prepared' || run.state === 'approved' ? problemsOf(run, transfers) : [],
    approvers: approvers.map(({ name, whyNot }) => ({ name, whyNot })),
    whyYouCannotApprove: approvers.find((one) => one.id === viewer.accountId)?.whyNot ?? null,
  }
}

/** Everybody who may approve runs, with the reason if they can't approve this one. */
export async function findApprovers(
  db: DbOrTx,
  run: Pick<Run, 'id' | 'prepared_by' | 'lines'>,
): Promise<{ id: number; name: string; whyNot: string | null }[]> {
  const holders = await findPayHolders(db)
  const confirmed = Map.groupBy(await findConfirmers(db, run.id), ({ by }) => by)
  return holders.map(({ id, name }) => ({ id, name, whyNot: whyNot(id) }))

  function whyNot(id: number): string | null {
    if (run.prepared_by === id) return 'prepared this run'
    if (run.lines.some(({ removed_by }) => removed_by === id)) return 'took a line out of this run'
    const [first, ...others] = confirmed.get(id) ?? []
    if (!first) return null
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return `confirmed the account of ${first.payee}${more} since the last payment to it`
  }
}

/** The transfers that don't fit into the files, as sentences that name the payee. */
export const problemsOf = ({ layout }: Run, transfers: readonly Transfer[]): string[] =>
  transfers.flatMap((transfer) => {
    const problem = problemOf(layout, transfer)
    return problem ? [`${transfer.payee}: ${problem}`] : []
  })

/** A run's transfers with their accounts. Files leave out accounts that can't be decrypted. */
export async function transfersOf(
  services: Pick<Services, 'secret' | 'formerSecrets'>,
  db: DbOrTx,
  run: Run,
) {
  const seals = accountSeals(services)
  const lines = linesToPay(run)
  const ids = run.lines.map(({ account_id }) => account_id)
  const rows = await findAccounts(db, { ids })
  const accounts = new Map(rows.map((row) => [row.id, row]))
  const transfers = lines.flatMap((line): Transfer[] => {
    const account = accounts.get(line.account_id)
    const secret = account && seals.open(account, account.sealed)
    if (!account || !secret) return []
    return [
      {
        reference: line.reference,
        payee: line.payee_name,
        amount: line.amount,
        currency: line.currency as Currency, // payment_runs__currency
        channel: account.channel === 'wallet' ? 'wallet' : 'bank',
        institution: account.institution ?? '',
        ...secret,
        remarks: `Pay ${run.number}`,
        day: dayOf(run.prepared_at),
      },
    ]
  })
  return { transfers, accounts }
}

const stateOf = (steps: readonly string[]): RunState => {
  if (steps.includes('cancelled')) return 'cancelled'
  if (steps.includes('finished')) return 'finished'
  if (steps.includes('files taken')) return 'sent'
  return steps.includes('approved') ? 'approved' : 'prepared'
}

const itemOf = (run: RunSummary): RunItem => ({
  id: run.id,
  number: run.number,
  state: stateOf(run.steps),
  currency: run.currency as Currency, // payment_runs__currency
  period: run.period,
  lines: run.lines,
  amount: run.amount,
  paid: run.paid,
  failed: run.failed,
  preparedAt: run.prepared_at.toISOString(),
  preparedBy: run.prepared_by_name,
})

/** The payee of a line. */
export const payeeOf = ({ payee_kind, payee_id }: LineRow): PayeeKey => ({
  kind: payee_kind as PayeeKind, // payment_run_lines__payee_kind
  id: payee_id,
})

const lineOf = (
  line: LineRow,
  isCancelled: boolean,
): Omit<RunLine, 'institutionName' | 'lastCharacters'> => ({
  id: line.id,
  payee: { ...payeeOf(line), name: line.payee_name },
  amount: line.amount,
  reference: line.reference,
  state: lineState(line, isCancelled),
  by: line.removed_by_name ?? line.result_by,
  reason: line.removed_because ?? line.result_reason,
  bankReference: line.bank_reference,
})

function lineState(line: LineRow, isCancelled: boolean): RunLine['state'] {
  if (line.removed_because !== null) return 'removed'
  if (line.paid !== null) return line.paid ? 'paid' : 'failed'
  return isCancelled ? 'cancelled' : 'open'
}
