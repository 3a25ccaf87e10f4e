import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { pageOf, startsWith } from '../../db/list-query.ts'
import type { PayeeKey } from './payees.queries.ts'

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
  carried: number
  minimum: number
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

/** All statements of a period. */
export const findStatementsOfPeriod = (db: DbOrTx, periodId: number): Promise<StatementRow[]> =>
  selectStatements(db, sql`statement.period_id = ${periodId}`, sql`order by statement.number`)

/** The number of statements, and their sums in pesos and in dollars. */
export async function sumStatements(
  db: DbOrTx,
  scope: Scope,
  filter: StatementFilter,
): Promise<{ total: number; centavos: number; cents: number }> {
  const { rows } = await sql<{ total: number; centavos: number; cents: number }>`
    select
      count(*) as total,
      coalesce(sum(statement.amount) filter (where statement.currency = 'PHP'), 0)::bigint as centavos,
      coalesce(sum(statement.amount) filter (where statement.currency = 'USD'), 0)::bigint as cents
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
    where ${matching(filter)} and ${await seenBy(db, scope)}
  `.execute(db)
  return rows[0] ?? { total: 0, centavos: 0, cents: 0 }
}

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

/** What became of a statement. */
export type PaymentState = {
  state: 'paid' | 'running' | 'failed' | 'carried'
  paidAt: Date | null
  /** Whether the open run was approved. */
  isApproved: boolean
  /** The period of the next statement, which contains what was still owed. */
  carriedInto: string | null
}

/**
 * What became of statements, keyed by their ids: of the payee's last run line in that currency, prepared before the next
 * statement was made; or `carried`, if the next one contains what is still owed. One transfer pays one statement, with
 * everything that was carried into it. Nothing for the last statement until it is in a run.
 */
export async function findPaymentStates(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PaymentState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PaymentState & { id: number }>`
    select distinct on (statement.id)
      statement.id,
      case
        when result.paid then 'paid'
        when line.open then 'running'
        when next.name is not null then 'carried'
        else 'failed'
      end as state,
      case when result.paid then result.made_at end as "paidAt",
      approved.run_id is not null as "isApproved",
      case when result.paid is distinct from true and line.open is distinct from true then next.name end
        as "carriedInto"
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
    left join (
      select
        one.id, lead(one_period.name) over later as name,
        lead(one_period.closed_at) over later as closed_at
      from statements as one
      join pay_periods as one_period on one_period.id = one.period_id
      where (one.payee_kind, one.payee_id) in (
        select asked.payee_kind, asked.payee_id
        from statements as asked
        where asked.id = any(${ids}::bigint[])
      )
      window later as (
        partition by one.payee_kind, one.payee_id, one.currency order by one.period_id
      )
    ) as next on next.id = statement.id
    left join (
      payment_run_lines as line
      join payment_runs as run on run.id = line.run_id
      left join payment_results as result on result.run_line_id = line.id
      left join payment_run_steps as approved
        on approved.run_id = line.run_id and approved.step = 'approved'
    )
      on line.payee_kind = statement.payee_kind and line.payee_id = statement.payee_id
      and line.currency = statement.currency and run.prepared_at >= period.closed_at
      and (next.closed_at is null or run.prepared_at < next.closed_at)
      and (line.open or result.paid is not null)
    where statement.id = any(${ids}::bigint[]) and (line.id is not null or next.name is not null)
    order by statement.id, coalesce(result.paid, false) desc, line.id desc
  `.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state] as const))
}

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
      statement.payee_name as "payeeName", statement.currency, statement.amount, statement.carried,
      statement.minimum, period.closed_at as "closedAt", statement.content_hash as "contentHash",
      statement.content
    from statements as statement
    join pay_periods as period on period.id = statement.period_id
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
