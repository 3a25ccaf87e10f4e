import {
  type PayFileLayout,
  payFileLayoutSchema,
  type PayFileTemplate,
  problemsOfColumns,
} from '@tallyroom/contract/pay/files/files'
import type { RunState } from '@tallyroom/contract/pay/runs/runs'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findRefusedFiles, type RefusedFile } from '../ledger/proposals.queries.ts'
import { findPayeePeople, type PayeeKey, personOf } from '../terms/payees.queries.ts'
import { accountSeals } from '../accounts/sealed-account.ts'
import { findAccounts } from '../accounts/payee-accounts.queries.ts'
import type { Transfer } from '../files/file-values.ts'
import { filesOf, problemOf, problemOfFile } from '../files/pay-file.ts'
import {
  type DownloadRow,
  type FileRow,
  findDownloads,
  findFiles,
  findLines,
  findRefusals,
  findRun,
  findSteps,
  type LineRow,
  type RefusalRow,
  type RunRow,
  type StepRow,
} from './payment-runs.queries.ts'
import { getTemplate } from './templates.ts'

export type Run = Omit<RunRow, 'layout'> & {
  steps: StepRow[]
  lines: LineRow[]
  /** Of its files, oldest first. */
  downloads: DownloadRow[]
  state: RunState
  template: PayFileTemplate
  /** How its files look: like the template when the run was prepared. */
  layout: PayFileLayout
  /** As they were approved. Empty before that, and in runs approved before files were kept. */
  files: ApprovedFile[]
  /** Those of its files that the bank refused, as somebody entered it, approved or waiting, or as its own message said. */
  refused: RefusedFile[]
  /** What the bank's messages refuse of it although it was reported paid, by line. It stays paid. */
  refusals: ReadonlyMap<number, RefusalRow>
  /** On which day, where the bank is, it is to be carried out. */
  executionDay: Day
}

/** With the file that leaves instead, if its date had passed before anybody downloaded it. */
export type ApprovedFile = FileRow & { redated: FileRow | undefined }

/** @throws NOT_FOUND */
export async function getRun(db: DbOrTx, id: number): Promise<Run> {
  const run = await findRun(db, id)
  if (!run) throw notFound('payment run')
  const steps = await findSteps(db, id)
  const lines = await findLines(db, id)
  const downloads = await findDownloads(db, id)
  const template = await getTemplate(db, run.template_id)
  const state = stateOf(steps.map(({ step }) => step))
  const layout = payFileLayoutSchema.parse(run.layout)
  const all = await findFiles(db, id)
  const files = all
    .filter(({ redates }) => redates === null)
    .map((file) => ({ ...file, redated: all.find(({ redates }) => redates === file.place) }))
  const refusals = await findRefusals(db, id)
  const refused = refusedIn({ files, lines, refusals }, await findRefusedFiles(db, id))
  const executionDay = run.execution_day ?? dayOf(run.prepared_at)
  return {
    ...run,
    steps,
    lines,
    downloads,
    template,
    layout,
    files,
    refused,
    refusals,
    executionDay,
    state,
  }
}

/**
 * With those that the bank's message refused: no proposal says so, but the failures of their lines, and what it refuses of lines that
 * were reported paid.
 */
function refusedIn(
  run: Pick<Run, 'files' | 'lines' | 'refusals'>,
  byHand: readonly RefusedFile[],
): RefusedFile[] {
  const known = new Set(byHand.flatMap(({ file, waits }) => (waits ? [] : [file])))
  const failed = run.lines.map((line) => ({
    line,
    on: line.refused_on,
    by: line.result_by,
    reason: line.result_reason,
  }))
  const paid = run.lines.flatMap((line) => {
    const one = run.refusals.get(line.id)
    return one ? [{ line, on: one.refused_on, by: one.made_by_name, reason: one.reason }] : []
  })
  const read = [...failed, ...paid].flatMap(({ line, on, by, reason }): RefusedFile[] => {
    const file = fileOf(run, line)
    if (on === null || file === null || known.has(file)) return []
    known.add(file)
    return [{ file, on, by: by ?? '', reason: reason ?? '', waits: false, byMessage: true }]
  })
  return [...read, ...byHand]
}

/** The lines that were not taken out. */
export const linesToPay = ({ lines }: Pick<Run, 'lines'>): LineRow[] =>
  lines.filter(({ removed_because }) => removed_because === null)

/** The name of a line's file. One that doesn't know it is in the run's only one; null if there are several, or none was kept. */
export const fileOf = (
  { files }: Pick<Run, 'files'>,
  { file }: Pick<LineRow, 'file'>,
): string | null => file ?? (files.length === 1 ? (files[0]?.name ?? null) : null)

/** Of a run or a line. */
export const currencyOf = ({ currency }: { currency: string }): Currency => currency as Currency // payment_runs__currency

export const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** Why the files can't be made: columns that can't pay, transfers that don't fit, by payee, and lines around them. */
export const problemsOf = ({ layout, number }: Run, transfers: readonly Transfer[]): string[] => [
  ...(layout.format === 'pain.001' ? [] : problemsOfColumns(layout.columns)).map(
    ({ message }) => `The columns ${message}`,
  ),
  ...transfers.flatMap((transfer) => {
    const problem = problemOf(layout, transfer)
    return problem ? [`${transfer.payee}: ${problem}`] : []
  }),
  ...filesOf(layout, number, transfers).flatMap((file) => problemOfFile(layout, file) ?? []),
]

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
  const people = await findPayeePeople(db, lines.map(payeeOf))
  const transfers = lines.flatMap((line): Transfer[] => {
    const account = accounts.get(line.account_id)
    const secret = account && seals.open(account, account.sealed)
    if (!account || !secret) return []
    return [
      {
        reference: line.reference,
        kind: payeeOf(line).kind,
        payee: line.payee_name,
        person: personOf(people, payeeOf(line)),
        amount: line.amount,
        currency: currencyOf(line),
        channel: account.channel === 'wallet' ? 'wallet' : 'bank',
        institution: account.institution ?? '',
        ...secret,
        remarks: `Pay ${run.number}`,
        day: run.executionDay,
        preparedAt: run.prepared_at,
      },
    ]
  })
  return { transfers, accounts }
}

export const stateOf = (steps: readonly string[]): RunState => {
  if (steps.includes('cancelled')) return 'cancelled'
  if (steps.includes('finished')) return 'finished'
  if (steps.includes('files taken')) return 'sent'
  return steps.includes('approved') ? 'approved' : 'prepared'
}

/** The payee of a line. */
export const payeeOf = ({ payee_kind, payee_id }: LineRow): PayeeKey => ({
  kind: payee_kind as PayeeKind, // payment_run_lines__payee_kind
  id: payee_id,
})

/** The lines of each payee: one, or the parts of what it gets. */
export const linesByPayee = <Line extends Pick<LineRow, 'payee_kind' | 'payee_id'>>(
  lines: readonly Line[],
): ReadonlyMap<string, Line[]> =>
  Map.groupBy(lines, ({ payee_kind, payee_id }) => `${payee_kind} ${payee_id}`)

/** The first line of each payee, with the amount of all its parts. */
export const withoutParts = (lines: readonly LineRow[]): LineRow[] =>
  [...linesByPayee(lines).values()].flatMap((parts) => {
    const [first] = parts
    return first ? [{ ...first, amount: sumOf(parts) }] : []
  })
