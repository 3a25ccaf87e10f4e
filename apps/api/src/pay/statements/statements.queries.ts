import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { pageOf, startsWith } from '../../db/list-query.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { payableAt, paymentDayOf, sentAtOf } from '../ledger/payment-days.queries.ts'
import { emptiesBalance, entriesOf } from '../ledger/settlements.queries.ts'

export type StatementRow = {
  id: number
  number: string
  period: { name: string; start: string; end: string }
  periodId: number
  kind: PayeeKind
  payeeId: number
  payeeName: string
  currency: Currency
  amount: number
  /** What of it is not income; null without such an adjustment. */
  notIncome: number | null
  carried: number
  /** The tax withheld; negative if some was given back. */
  withheld: number
  /** Amount and balance before, less the tax withheld and what was taken back of advances. */
  due: number
  minimum: number
  /** Of a self-billed document. */
  documentSerial: number | null
  /** What it adds can be paid from this day on; null if nothing holds it. */
  paidFrom: Day | null
  closedAt: Date
  contentHash: Buffer
  content: Buffer
}

export type StatementFilter = { period?: string | undefined; payee?: PayeeKey | undefined }

/** Newest first. */
export async function findStatements(
  db: DbOrTx,
  scope: Scope,
  filter: StatementFilter,
  page: { page: number; pageSize: number },
): Promise<StatementRow[]> {
  return selectStatements(
    db,
    sql`${matching(filter)} and ${await seenBy(db, scope)}`,
    sql`order by period.start_day desc, statement.number ${pageOf(page)}`,
  )
}

/** Those in scope whose numbers begin with the text, in upper or lower case; newest first. */
export async function findStatementsNumbered(
  db: DbOrTx,
  scope: Scope,
  beginning: string,
  limit: number,
): Promise<StatementRow[]> {
  return selectStatements(
    db,
    sql`${startsWith(sql`statement.number`, beginning)} and ${await seenBy(db, scope)}`,
    sql`order by period.start_day desc, statement.number limit ${limit}`,
  )
}

/** Undefined also for a statement out of scope. */
export async function findStatement(
  db: DbOrTx,
  scope: Scope,
  id: number,
): Promise<StatementRow | undefined> {
  const [row] = await selectStatements(
    db,
    sql`statement.id = ${id} and ${await seenBy(db, scope)}`,
    sql``,
  )
  return row
}

export type BookedRow = {
  eventId: string
  number: string
  statementId: number
  closedAt: Date
  paidBy: 'rate' | 'tier'
}

/** The statements in scope on which an agent's events were booked. */
export async function findBookedOn(
  db: DbOrTx,
  scope: Scope,
  { agentId, eventIds }: { agentId: number; eventIds: readonly string[] },
): Promise<BookedRow[]> {
  const { rows: bookings } = await sql<
    PayeeKey & Pick<BookedRow, 'eventId' | 'paidBy'> & { periodId: number }
  >`
    select
      event_id as "eventId", paid_by as "paidBy", period_id as "periodId", payee_kind as kind,
      payee_id as id
    from bookings
    where agent_id = ${agentId} and event_id = any(${eventIds}::uuid[])
  `.execute(db)
  if (bookings.length === 0) return []
  const statements = await selectStatements(
    db,
    sql`statement.period_id = any(${bookings.map(({ periodId }) => periodId)}::bigint[])
      and statement.payee_id = any(${bookings.map(({ id }) => id)}::integer[])
      and ${await seenBy(db, scope)}`,
    sql``,
  )
  return bookings.flatMap(({ eventId, paidBy, periodId, kind, id }) =>
    statements
      .filter((one) => one.periodId === periodId && one.kind === kind && one.payeeId === id)
      .map(({ number, id: statementId, closedAt }) => ({
        eventId,
        number,
        statementId,
        closedAt,
        paidBy,
      })),
  )
}

/** The last serial of each payee's self-billed documents, by `payeeText`. */
export async function findDocumentSerials(db: DbOrTx): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<PayeeKey & { last: number }>`
    select payee_kind as kind, payee_id as id, max(document_serial) as last
    from statements
    where document_serial is not null
    group by payee_kind, payee_id
  `.execute(db)
  return new Map(rows.map((row) => [payeeText(row), row.last]))
}

/** All statements of a period. */
export const findStatementsOfPeriod = (db: DbOrTx, periodId: number): Promise<StatementRow[]> =>
  selectStatements(db, sql`statement.period_id = ${periodId}`, sql`order by statement.number`)

export type StatementSums = Sums & {
  total: number
  /** The tax; null if none of the statements withheld or gave back any. */
  withheld: Sums | null
}
/** In pesos and in dollars. */
type Sums = { centavos: number; cents: number }

/** The number of statements, and their sums. */
export async function sumStatements(
  db: DbOrTx,
  scope: Scope,
  filter: StatementFilter,
): Promise<StatementSums> {
  const { rows } = await sql<StatementSums>`
    select
      count(*) as total,
      case when count(tax.amount) > 0 then json_build_object(
        'centavos', coalesce(-sum(tax.amount) filter (where statement.currency = 'PHP'), 0),
        'cents', coalesce(-sum(tax.amount) filter (where statement.currency = 'USD'), 0)
      ) end as withheld,
      coalesce(sum(statement.amount) filter (where statement.currency = 'PHP'), 0)::bigint as centavos,
      coalesce(sum(statement.amount) filter (where statement.currency = 'USD'), 0)::bigint as cents
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
    ${withTax}
    where ${matching(filter)} and ${await seenBy(db, scope)}
  `.execute(db)
  return rows[0] ?? { total: 0, centavos: 0, cents: 0, withheld: null }
}

/** A statement has one entry of tax at most. */
const withTax = sql`
  left join balance_entries as tax on tax.statement_id = statement.id and tax.kind = 'tax'
`

/** The number of statements of each period, and their sums. */
export async function sumPeriods(
  db: DbOrTx,
): Promise<ReadonlyMap<number, { statements: number; centavos: number; cents: number }>> {
  const { rows } = await sql<{
    periodId: number
    statements: number
    centavos: number
    cents: number
  }>`
    select
      period_id as "periodId", count(*) as statements,
      coalesce(sum(amount) filter (where currency = 'PHP'), 0)::bigint as centavos,
      coalesce(sum(amount) filter (where currency = 'USD'), 0)::bigint as cents
    from statements
    group by period_id
  `.execute(db)
  return new Map(rows.map(({ periodId, ...sums }) => [periodId, sums]))
}

/** A statement, with what tells it from others of its payee in its currency. */
export type MadeStatement = {
  id: number
  balance: string
  period: string
  closedAt: Date
  /** Since when a payment can pay it: the closing, or the day until which it is held. */
  payableAt: Date
}

/** All statements of the payees of these, in the order in which payments can pay them. */
export async function findStatementsOfPayees(
  db: DbOrTx,
  ids: readonly number[],
): Promise<MadeStatement[]> {
  const { rows } = await sql<MadeStatement>`
    select
      statement.id, ${balanceOf(sql`statement`)} as balance, period.name as period,
      period.closed_at as "closedAt",
      ${payableAt(sql`period.closed_at`, sql`statement.paid_from`)} as "payableAt"
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
    where ${isPayeeOf(sql`statement`, ids)}
    order by "payableAt", statement.period_id
  `.execute(db)
  return rows
}

/**
 * A line of a run that is open, or has a result; or what emptied a balance without one, as a payment outside or a conversion.
 */
export type PaidLine = {
  balance: string
  /** A negative one of its own without a run; 0 of what was given up. */
  runId: number
  preparedAt: Date
  /** In minor units. */
  amount: number
  open: boolean
  /** Whether it pays a part of a balance, and so no statement. */
  isPart: boolean
  /** Null without a result. */
  paid: boolean | null
  decidedAt: Date | null
  /** The bank's day, if its statement said it. */
  paidOn: Day | null
  /** Null unless it was paid and came back. */
  returnedAt: Date | null
  /** The balance was emptied without a payment, so that nothing of it is to be paid. Null if it was paid. */
  emptiedBy: 'conversion' | 'correction' | 'given up' | 'received' | null
  isApproved: boolean
  /** Whether its file was taken. */
  isSent: boolean
  /** Null outside payment runs, as the fields that follow. */
  run: string | null
  executionDay: Day | null
  institution: string | null
  lastCharacters: string | null
  bankReference: string | null
}

/** The lines of the payees of these statements, in the order in which they were prepared. */
export async function findLinesOfPayees(db: DbOrTx, ids: readonly number[]): Promise<PaidLine[]> {
  const { rows } = await sql<PaidLine>`
    select
      ${balanceOf(sql`line`)} as balance, run.id as "runId", run.prepared_at as "preparedAt", line.amount, line.open,
      line.part_reason is not null as "isPart", result.paid,
      result.made_at as "decidedAt", result.paid_on as "paidOn", returned.made_at as "returnedAt", null as "emptiedBy",
      approved.run_id is not null as "isApproved", ${sentAtOf(sql`line`)} is not null as "isSent",
      run.number as run,
      ${paymentDayOf(sql`line`, sql`run`)} as "executionDay",
      account.institution, account.last_characters as "lastCharacters", result.bank_reference as "bankReference"
    from payment_run_lines as line
    join payment_runs as run on run.id = line.run_id
    left join payee_accounts as account on account.id = line.account_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    left join payment_run_steps as approved
      on approved.run_id = line.run_id and approved.step = 'approved'
    -- A part pays no statement: what is left of the balance still waits.
    where ${isPayeeOf(sql`line`, ids)}
      and (line.open or (result.paid is not null and line.part_reason is null))
    union all
    select
      ${balanceOf(sql`entry`)}, coalesce(-entry.proposal_id, 0), entry.made_at, abs(entry.amount), false, false, true,
      (proposal.paid_on + time '12:00') at time zone ${sql.lit(NEW_YORK)}, proposal.paid_on, null,
      case when entry.kind <> 'outside' then entry.kind end,
      true, true,
      null, null, null, null, null
    from (
      select entry.*
      from (${entriesOf(isPayeeOf(sql`balance_entries`, ids))}) as entry
      where kind = 'outside' and after = 0 or ${emptiesBalance}
    ) as entry
    left join pay_proposals as proposal on proposal.id = entry.proposal_id
    order by "preparedAt", "runId"
  `.execute(db)
  return rows
}

/** The entry by which a statement's sum came into its balance; undefined if it has none. */
export async function findEntryOf(db: DbOrTx, statementId: number): Promise<number | undefined> {
  const entry = await db
    .selectFrom('balance_entries')
    .select('id')
    .where('statement_id', '=', statementId)
    .where('kind', '=', 'statement')
    .executeTakeFirst()
  return entry?.id
}

/** The numbers of runs, oldest first. */
export const findRunNumbers = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom('payment_runs')
    .select(['id', 'number'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()

const balanceOf = (row: RawBuilder<unknown>) =>
  sql`concat(${row}.payee_kind, ' ', ${row}.payee_id, ' ', ${row}.currency)`

const isPayeeOf = (row: RawBuilder<unknown>, statements: readonly number[]) => sql<boolean>`
  (${row}.payee_kind, ${row}.payee_id) in (
    select payee_kind, payee_id from statements where id = any(${[...statements]}::bigint[])
  )
`

async function selectStatements(
  db: DbOrTx,
  condition: RawBuilder<unknown>,
  more: RawBuilder<unknown>,
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select
      statement.id, statement.number,
      json_build_object('name', period.name, 'start', period.start_day, 'end', period.end_day) as period,
      period.id as "periodId", statement.payee_kind as kind, statement.payee_id as "payeeId",
      statement.payee_name as "payeeName", statement.currency, statement.amount,
      statement.not_income as "notIncome", statement.carried,
      coalesce(-tax.amount, 0)::bigint as withheld,
      statement.amount + statement.carried + coalesce(
        (
          select sum(entry.amount) from balance_entries as entry
          where entry.statement_id = statement.id and entry.kind in ('instalment', 'tax')
        ),
        0
      )::bigint as due,
      statement.minimum, statement.paid_from as "paidFrom", statement.document_serial as "documentSerial",
      period.closed_at as "closedAt", statement.content_hash as "contentHash",
      statement.content
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
    ${withTax}
    where ${condition}
    ${more}
  `.execute(db)
  return rows
}

const matching = ({ period, payee }: StatementFilter): RawBuilder<unknown> => {
  const conditions = [sql`true`]
  if (period !== undefined) conditions.push(sql`period.name = ${period}`)
  if (payee) {
    conditions.push(sql`statement.payee_kind = ${payee.kind} and statement.payee_id = ${payee.id}`)
  }
  return sql.join(conditions, sql` and `)
}

/**
 * An office sees its own statements; an agent their own and those of offices with lines of theirs. The agent's
 * periods are looked up first, because on Citus bookings and statements may be on different nodes.
 */
async function seenBy(db: DbOrTx, scope: Scope): Promise<RawBuilder<unknown>> {
  switch (scope.sees) {
    case 'everything':
      return sql`true`
    case 'office':
      return sql`(statement.payee_kind = 'office' and statement.payee_id = ${scope.officeId})`
    case 'agent': {
      const lines = await findPeriodsOfAgent(db, scope.agentId)
      return sql`(
        statement.payee_kind = 'agent' and statement.payee_id = ${scope.agentId}
        or (statement.payee_kind, statement.payee_id, statement.period_id) in (
          select *
          from unnest(
            ${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ payeeId }) => payeeId)}::integer[],
            ${lines.map(({ periodId }) => periodId)}::bigint[]
          ) as line (payee_kind, payee_id, period_id)
        )
        or statement.id in (
          select payment.statement_id from tier_payments as payment
          where payment.agent_id = ${scope.agentId}
        )
      )`
    }
  }
}

async function findPeriodsOfAgent(db: DbOrTx, agentId: number) {
  const { rows } = await sql<{ kind: PayeeKind; payeeId: number; periodId: number }>`
    select distinct payee_kind as kind, payee_id as "payeeId", period_id as "periodId"
    from bookings
    where agent_id = ${agentId}
  `.execute(db)
  return rows
}
