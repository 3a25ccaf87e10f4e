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
  state: 'paid' | 'running' | 'failed' | 'returned' | 'carried'
  paidAt: Date | null
  /** Whether the open run was approved. */
  isApproved: boolean
  /** Whether a file of it was taken. */
  isSent: boolean
  /** The period of the next statement, which contains what was still owed. */
  carriedInto: string | null
}

/**
 * What became of statements, keyed by their ids: of the payee's last run line in that currency, prepared before the next
 * statement was made; or `carried`, if the next one contains what is still owed. One transfer pays one statement, with
 * everything that was carried into it. What came back after the next statement was made stands on none: any later run pays
 * it. Nothing for the last statement until it is in a run.
 */
export async function findPaymentStates(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PaymentState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PaymentState & { id: number }>`
    with
      asked as (
        select
          statement.id, statement.payee_kind, statement.payee_id, statement.currency, statement.period_id,
          period.closed_at
        from statements as statement
        join pay_periods as period on period.id = statement.period_id
        where statement.id = any(${ids}::bigint[])
      ),
      closing as (
        select
          statement.payee_kind, statement.payee_id, statement.currency, statement.period_id, period.name,
          period.closed_at
        from statements as statement
        join pay_periods as period on period.id = statement.period_id
        where (statement.payee_kind, statement.payee_id) in (select payee_kind, payee_id from asked)
      ),
      line as (
        select
          line.id, line.payee_kind, line.payee_id, line.currency, line.open, run.prepared_at,
          coalesce(result.paid and returned.run_line_id is null, false) as is_paid,
          result.made_at as decided_at,
          -- When its amount went back into the balance.
          coalesce(returned.made_at, case when not result.paid then result.made_at end) as back_at,
          case when returned.run_line_id is null then 'failed' else 'returned' end as went_back,
          array(
            select step.step from payment_run_steps as step where step.run_id = line.run_id
          ) as steps
        from payment_run_lines as line
        join payment_runs as run on run.id = line.run_id
        left join payment_results as result on result.run_line_id = line.id
        left join payment_returns as returned on returned.run_line_id = line.id
        where (line.payee_kind, line.payee_id) in (select payee_kind, payee_id from asked)
          and (line.open or result.paid is not null)
      )
    select
      asked.id,
      case
        when last.is_paid then 'paid'
        when last.open then 'running'
        when into_it.name is not null then 'carried'
        else coalesce(last.went_back, first.went_back)
      end as state,
      case when last.is_paid then last.decided_at end as "paidAt",
      coalesce('approved' = any(last.steps), false) as "isApproved",
      coalesce('files taken' = any(last.steps), false) as "isSent",
      case when not coalesce(last.is_paid or last.open, false) then into_it.name end as "carriedInto"
    from asked
    left join lateral (
      select * from closing
      where (closing.payee_kind, closing.payee_id, closing.currency)
          = (asked.payee_kind, asked.payee_id, asked.currency)
        and closing.period_id > asked.period_id
      order by closing.period_id
      limit 1
    ) as next on true
    left join lateral (
      select * from line
      where (line.payee_kind, line.payee_id, line.currency)
          = (asked.payee_kind, asked.payee_id, asked.currency)
        and line.prepared_at >= asked.closed_at
        and (next.closed_at is null or line.prepared_at < next.closed_at)
      order by line.is_paid desc, line.id desc
      limit 1
    ) as first on true
    cross join lateral (select coalesce(first.back_at >= next.closed_at, false) as late) as back
    left join lateral (
      select * from closing
      where (closing.payee_kind, closing.payee_id, closing.currency)
          = (asked.payee_kind, asked.payee_id, asked.currency)
        and case when back.late
          then closing.period_id > next.period_id and closing.closed_at > first.back_at
          else closing.period_id = next.period_id
        end
      order by closing.period_id
      limit 1
    ) as into_it on true
    left join lateral (
      select * from line
      where (line.payee_kind, line.payee_id, line.currency)
          = (asked.payee_kind, asked.payee_id, asked.currency)
        and case when back.late
          then line.prepared_at >= first.back_at
            and (into_it.closed_at is null or line.prepared_at < into_it.closed_at)
          else line.id = first.id
        end
      order by line.is_paid desc, line.id desc
      limit 1
    ) as last on true
    where first.id is not null or next.name is not null
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
