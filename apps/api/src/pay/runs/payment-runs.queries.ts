import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { changeSealed, sealRows } from '../../seals/index.ts'
import { paymentDayOf, sentAtOf } from '../ledger/payment-days.queries.ts'
import { lockBalances } from '../terms/settings.queries.ts'

export type LineRow = Selectable<DB['payment_run_lines']> & {
  removed_by_name: string | null
  /** The name of its file; null before the approval, and in runs approved before lines knew it. */
  file: string | null
  /** When that was first downloaded; null before. */
  sent_at: Date | null
  /** Null without a result. */
  paid: boolean | null
  result_reason: string | null
  bank_reference: string | null
  result_by: string | null
  /** The bank's day; null unless it refused the line's file. */
  refused_on: Day | null
  /** The bank's day of a failure, if its message said it. */
  failed_on: Day | null
  /** The bank's day, if its statement said it. */
  paid_on: Day | null
  /** Null unless it was paid and came back. */
  returned_on: Day | null
  return_reason: string | null
  returned_by: string | null
}

/** A run's lines in their order, with their results. */
export const findLines = (db: DbOrTx, runId: number): Promise<LineRow[]> =>
  selectLines(db).where('line.run_id', '=', runId).orderBy('line.id').execute()

export const findLine = (db: DbOrTx, id: number): Promise<LineRow | undefined> =>
  selectLines(db).where('line.id', '=', id).executeTakeFirst()

const selectLines = (db: DbOrTx) =>
  db
    .selectFrom('payment_run_lines as line')
    .leftJoin('payment_results as result', 'result.run_line_id', 'line.id')
    .leftJoin('payment_returns as return', 'return.run_line_id', 'line.id')
    .leftJoin('payment_file_lines as file', 'file.run_line_id', 'line.id')
    .leftJoin('accounts as remover', 'remover.id', 'line.removed_by')
    .selectAll('line')
    .select([
      'remover.username as removed_by_name',
      'file.name as file',
      sentAtOf(sql`line`).as('sent_at'),
      'result.paid',
      'result.reason as result_reason',
      'result.bank_reference',
      'result.made_by_name as result_by',
      'result.refused_on',
      'result.failed_on',
      'result.paid_on',
      'return.returned_on',
      'return.reason as return_reason',
      'return.made_by_name as returned_by',
    ])

export type RefusalRow = Selectable<DB['payment_refusals']> & {
  /** The day of the payment that was reported, as in the journal. */
  paid_on: Day
  /** Null unless somebody entered that it was paid after all. */
  note: string | null
  settled_at: Date | null
  settled_by: string | null
  is_open: boolean
}

/** Whether a `refusal` still contradicts the payment: it did not come back, and nobody entered that it was paid after all. */
const isOpenRefusal = sql<boolean>`(
  not exists (select from payment_returns as back where back.run_line_id = refusal.run_line_id)
  and not exists (select from settled_refusals as answer where answer.run_line_id = refusal.run_line_id)
)`

/** What the bank's messages refuse of a run although it was reported paid, by line. */
export async function findRefusals(
  db: DbOrTx,
  runId: number,
): Promise<ReadonlyMap<number, RefusalRow>> {
  const rows = await db
    .selectFrom('payment_refusals as refusal')
    .innerJoin('payment_run_lines as line', 'line.id', 'refusal.run_line_id')
    .innerJoin('payment_runs as run', 'run.id', 'line.run_id')
    .leftJoin('settled_refusals as settled', 'settled.run_line_id', 'refusal.run_line_id')
    .selectAll('refusal')
    .select([
      paymentDayOf(sql.ref('line'), sql.ref('run')).as('paid_on'),
      'settled.note',
      'settled.made_at as settled_at',
      'settled.made_by_name as settled_by',
      isOpenRefusal.as('is_open'),
    ])
    .where('line.run_id', '=', runId)
    .execute()
  return new Map(rows.map((row) => [row.run_line_id, row]))
}

/** Which of these lines somebody reported by hand. */
export async function findEnteredBy(
  db: DbOrTx,
  accountId: number,
  lineIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('payment_results')
    .select('run_line_id')
    .where('run_line_id', 'in', lineIds)
    .where('by_hand', '=', true)
    .where('made_by', '=', accountId)
    .execute()
  return rows.map(({ run_line_id }) => run_line_id)
}

/** The transfers reported paid that a bank refused, since when, and the run of the first. */
export async function findOpenRefusals(
  db: DbOrTx,
): Promise<{ count: number; since: Date | null; runId: number | null }> {
  const rows = await db
    .selectFrom('payment_refusals as refusal')
    .innerJoin('payment_run_lines as line', 'line.id', 'refusal.run_line_id')
    .select(['line.run_id', 'refusal.made_at'])
    .where(isOpenRefusal)
    .orderBy('refusal.made_at')
    .orderBy('line.id')
    .execute()
  const [first] = rows
  return { count: rows.length, since: first?.made_at ?? null, runId: first?.run_id ?? null }
}

/** Which run each of these lines is of, and its reference. */
export async function findRunOfLines(
  db: DbOrTx,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, { id: number; number: string; reference: string }>> {
  const rows = await db
    .selectFrom('payment_run_lines as line')
    .innerJoin('payment_runs as run', 'run.id', 'line.run_id')
    .select(['line.id as lineId', 'line.reference', 'run.id', 'run.number'])
    .where('line.id', 'in', [...lineIds, 0])
    .execute()
  return new Map(rows.map(({ lineId, ...run }) => [lineId, run]))
}

/** The numbers of these runs, by id. */
export async function findNumbersOfRuns(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment_runs')
    .select(['id', 'number'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** The runs' numbers of references that are in use, whatever their case. */
export async function findRunsOfReferences(db: DbOrTx, references: readonly string[]) {
  if (references.length === 0) return []
  const { rows } = await sql<{ number: string }>`
    select run.number
    from payment_run_lines as line
    join payment_runs as run on run.id = line.run_id
    where lower(line.reference) collate "C" = any(${[...references]}::text[])
    order by run.number
  `.execute(db)
  return rows
}

/** Serializes the steps of a run by locking its lines. Every run has at least one. */
export const lockLines = (tx: Tx, runId: number) =>
  tx
    .selectFrom('payment_run_lines')
    .select('id')
    .where('run_id', '=', runId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export type RunRow = Selectable<DB['payment_runs']> & { period: string | null }

export const findRun = (db: DbOrTx, id: number): Promise<RunRow | undefined> =>
  db
    .selectFrom('payment_runs as run')
    .leftJoin('pay_periods as period', 'period.id', 'run.period_id')
    .selectAll('run')
    .select('period.name as period')
    .where('run.id', '=', id)
    .executeTakeFirst()

/** The runs that await approval, oldest first. */
export async function findPreparedIds(db: DbOrTx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select run.id
    from payment_runs as run
    where not exists (select from payment_run_steps as step where step.run_id = run.id)
    order by run.prepared_at, run.id
  `.execute(db)
  return rows.map(({ id }) => id)
}

export type StepRow = Selectable<DB['payment_run_steps']>

export const findSteps = (db: DbOrTx, runId: number): Promise<StepRow[]> =>
  db
    .selectFrom('payment_run_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('made_at')
    .execute()

export type FileRow = Selectable<DB['payment_run_files']>

/** The files of an approved run: first those that were approved, then those with a later date. */
export const findFiles = (db: DbOrTx, runId: number): Promise<FileRow[]> =>
  db
    .selectFrom('payment_run_files')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('place')
    .execute()

/** The files that are encrypted with another key than the one this head identifies. */
export const findFilesSealedOtherwise = (db: DbOrTx, head: Buffer) =>
  db
    .selectFrom('payment_run_files')
    .select(['run_id', 'place', 'name', 'execution_day', 'sealed'])
    .where(sql<boolean>`substring(sealed from 1 for ${head.length}) <> ${head}`)
    .forNoKeyUpdate()
    .execute()

export async function updateSealedFile(
  tx: Tx,
  { run_id, place }: Pick<FileRow, 'run_id' | 'place'>,
  sealed: Buffer,
): Promise<void> {
  await changeSealed(tx, 'payment_run_files', { run_id, place }, () =>
    tx
      .updateTable('payment_run_files')
      .set({ sealed })
      .where('run_id', '=', run_id)
      .where('place', '=', place)
      .execute(),
  )
}

export type DownloadRow = Selectable<DB['payment_file_downloads']>

/** The bank's day on which a file was downloaded, as it was then. */
export const leftOn = ({ bank_day, made_at }: DownloadRow): Day => bank_day ?? dayOf(made_at)

/** Oldest first. */
export const findDownloads = (db: DbOrTx, runId: number): Promise<DownloadRow[]> =>
  db
    .selectFrom('payment_file_downloads')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute()

export type RunSummary = {
  id: number
  number: string
  currency: string
  period: string | null
  prepared_at: Date
  prepared_by_name: string
  steps: string[]
  lines: number
  payees: number
  amount: number
  paid: number
  failed: number
  returned: number
}

/** The newest runs. Lines that were taken out do not count. */
export async function findRuns(db: DbOrTx, limit: number): Promise<RunSummary[]> {
  const { rows } = await sql<RunSummary>`
    select
      run.id, run.number, run.currency, period.name as period, run.prepared_at, run.prepared_by_name,
      array(select step from payment_run_steps as step where step.run_id = run.id) as steps,
      count(line.id)::integer as lines,
      (count(distinct (line.payee_kind, line.payee_id)) filter (where line.id is not null))::integer as payees,
      coalesce(sum(line.amount), 0)::bigint as amount,
      (count(*) filter (where result.paid and returned.run_line_id is null))::integer as paid,
      (count(*) filter (where not result.paid))::integer as failed,
      count(returned.run_line_id)::integer as returned
    from payment_runs as run
    left join pay_periods as period on period.id = run.period_id
    left join payment_run_lines as line on line.run_id = run.id and line.removed_because is null
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    group by run.id, period.name
    order by run.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

export const findClosedPeriods = (db: DbOrTx) =>
  db.selectFrom('pay_periods').select(['id', 'name']).orderBy('start_day', 'desc').execute()

export type NewLine = Pick<
  Insertable<DB['payment_run_lines']>,
  | 'run_id'
  | 'payee_kind'
  | 'payee_id'
  | 'payee_name'
  | 'currency'
  | 'amount'
  | 'account_id'
  | 'reference'
  | 'part'
  | 'of_balance'
  | 'part_reason'
>

/** Violates `payment_run_lines__open` if a run has a part of a balance twice. */
export async function insertLines(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  const inserted = await tx.insertInto('payment_run_lines').values(lines).returning('id').execute()
  await sealRows(tx, 'payment_run_lines', { id: inserted.map(({ id }) => id) })
}

/** Removes lines from a run. `by` is null if the approval removed them. */
export async function removeLines(
  tx: Tx,
  lines: readonly { id: number; by: number | null; because: string }[],
): Promise<void> {
  const ids = lines.map(({ id }) => id)
  await changeSealed(tx, 'payment_run_lines', { id: ids }, async () => {
    for (const { id, by, because } of lines) {
      await tx
        .updateTable('payment_run_lines')
        .set({ open: false, removed_by: by, removed_because: because })
        .where('id', '=', id)
        .execute()
    }
  })
}

export async function closeLines(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await changeSealed(tx, 'payment_run_lines', { id: ids }, () =>
    tx
      .updateTable('payment_run_lines')
      .set({ open: false })
      .where('id', 'in', [...ids])
      .execute(),
  )
}

/**
 * Locks the state of pay to serialize the preparation of runs. Undefined while pay is off. Called before the transaction's instant
 * is asked for: a run that waited for a closing is prepared after it.
 *
 * @returns the epoch, the year, and how many runs were prepared in it
 */
export async function lockPay(
  tx: Tx,
): Promise<{ epoch: number; year: number; runs: number } | undefined> {
  const state = await lockState(tx)
  if (!state) return undefined
  const year = Number(dayOf(tx.now).slice(0, 4))
  const { rows } = await sql<{ runs: number }>`
    select count(*)::integer as runs from payment_runs where number ~ ${`^R\\d*-${year}-`}
  `.execute(tx)
  return { epoch: state.epoch, year, runs: rows[0]?.runs ?? 0 }
}

/** Locks the state of pay, as preparing a run does. Undefined while pay is off. */
export async function lockState(tx: Tx): Promise<{ epoch: number } | undefined> {
  await lockBalances(tx)
  return tx.selectFrom('pay_state').select('epoch').executeTakeFirst()
}

/** The number of the newest run of each template, by the template's id. */
export async function findLastRuns(db: DbOrTx): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ templateId: number; number: string }>`
    select distinct on (template_id) template_id as "templateId", number
    from payment_runs
    order by template_id, id desc
  `.execute(db)
  return new Map(rows.map(({ templateId, number }) => [templateId, number]))
}
