import type { Day } from '@tallyroom/domain/new-york'
import type { CountsAs, Currency } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, stoodAt } from '../../seals/index.ts'
import { countsAsOf } from '../ledger/adjustments.queries.ts'
import { payableAt } from '../ledger/payment-days.queries.ts'
import { adjustmentApprovals } from '../ledger/proposals.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** Since when a payment pays what the statement of an `entry` added. */
const entryPayableAt = payableAt(
  sql`entry.made_at`,
  sql`(select held.paid_from from statements as held where held.id = entry.statement_id)`,
)

/**
 * The lines of a run that are not taken out, or what the next one would pay to a payee, each with the time since when things are
 * new to it: when the newest run was prepared that has paid its payee to its account, all of a balance and for good. Money that
 * went to another account says nothing about this one, and after a part was paid, what is new about the balance is as new about
 * the rest. `settled_up_to` is the last settlement of that payment, 0 without one; `settles_up_to` the line's own, null if none
 * is stored.
 *
 * @param to `any`: since the balance was last paid, wherever: for what is new about what is paid, not about the account
 */
export const linesSince = (
  of: number | NextPayment,
  asOf: AsOf = {},
  to: 'this account' | 'any' = 'this account',
) => sql`
  select
    line.*, coalesce(last_run.prepared_at, '-infinity') as since,
    coalesce(${lastSettlementOf(sql`line.last_paid_id`)}, 0) as settled_up_to,
    ${lastSettlementOf(sql`line.id`)} as settles_up_to
  from (
    select
      line.*,
      (
        select paid_line.id
        from payment_run_lines as paid_line
        join payment_results as result on result.run_line_id = paid_line.id and result.paid
        where ${to === 'any' ? sql`paid_line.currency = line.currency` : sql`paid_line.account_id = line.account_id`}
          and paid_line.payee_kind = line.payee_kind
          and paid_line.payee_id = line.payee_id
          and paid_line.part_reason is null
          and ${stoodAt(asOf, 'payment_results', sql`result.run_line_id::text`)}
          and not exists (
            select from payment_returns as returned
            where returned.run_line_id = result.run_line_id
              and ${stoodAt(asOf, 'payment_returns', sql`returned.run_line_id::text`)}
          )
        order by paid_line.id desc
        limit 1
      ) as last_paid_id
    from (${typeof of === 'number' ? linesOf(of) : lineOfNext(of)}) as line
  ) as line
  left join payment_run_lines as last_line on last_line.id = line.last_paid_id
  left join payment_runs as last_run on last_run.id = last_line.run_id
`

/** The last settlement by which a transfer to the payee of a `line` pays something. */
const lastSettlementOf = (lineId: RawBuilder<unknown>) => sql`(
  select max(settlement.id)
  from settlements as settlement
  where settlement.payee_kind = line.payee_kind and settlement.payee_id = line.payee_id
    and settlement.run_line_id = ${lineId} and settlement.kind = 'payment'
)`

const linesOf = (runId: number) => sql`
  select
    line.id, line.payee_kind, line.payee_id, line.payee_name, line.currency, line.account_id, run.prepared_at
  from payment_run_lines as line
  join payment_runs as run on run.id = line.run_id
  where line.run_id = ${runId} and line.removed_because is null
`

/** What a run would pay to a payee if it were prepared now. */
export type NextPayment = {
  payee: PayeeKey & { name: string }
  currency: Currency
  /** Null without an account. */
  accountId: number | null
  at: Date
}

const lineOfNext = ({ payee, currency, accountId, at }: NextPayment) => sql`
  select
    0::bigint as id, ${payee.kind}::text as payee_kind, ${payee.id}::bigint as payee_id,
    ${payee.name}::text as payee_name, ${currency}::text as currency,
    ${accountId}::bigint as account_id, ${at}::timestamptz as prepared_at
`

/**
 * Joins the `line`s of {@link linesSince} with the entries of the statements that they pay: whatever can be paid is settled by each
 * payment, so these are the ones that were first settled after the last payment, and by the line's own at the latest. What was
 * held when the payee was last paid is as new as what was closed since, and what is held now is paid by a later line. Where no
 * settlement is stored, as of the next payment, the times say when a statement could be paid.
 */
export const joinStatementsPaid = sql`
    join (
      select
        entry.*,
        (
          select min(settlement.id) from settlements as settlement
          where settlement.statement_id = entry.statement_id
        ) as settled_at
      from balance_entries as entry
      where entry.kind = 'statement'
    ) as entry
      on entry.payee_kind = line.payee_kind and entry.payee_id = line.payee_id
      and entry.currency = line.currency
      and case
        when line.settles_up_to is null or entry.settled_at is null then
          ${entryPayableAt} > line.since and ${entryPayableAt} <= line.prepared_at
        else entry.settled_at > line.settled_up_to and entry.settled_at <= line.settles_up_to
      end`

/** Whether the settlements of a `line` or of its last payment are not stored, as those of an older version. The next one has none yet. */
const lacksSettlements = sql`(
  line.id <> 0 and line.settles_up_to is null
  or line.last_paid_id is not null and line.settled_up_to = 0
)`

/**
 * Joins the `line`s with the entries that two people made in their balances without a statement. What one settled or was settled by
 * says between which payments it came; where that is not stored, the times do.
 */
export const joinEntriesOfTwo = sql`
    join (
      select
        entry.*,
        (
          select min(settlement.id) from settlements as settlement
          where settlement.payee_kind = entry.payee_kind and settlement.payee_id = entry.payee_id
            and settlement.currency = entry.currency
            and (settlement.entry_id = entry.id or settlement.by_entry_id = entry.id)
        ) as settled_at
      from balance_entries as entry
      where entry.kind in ('correction', 'conversion', 'outside', 'received')
    ) as entry
      on entry.payee_kind = line.payee_kind and entry.payee_id = line.payee_id
      and entry.currency = line.currency
      and case
        when entry.settled_at is null or ${lacksSettlements} then
          entry.made_at > line.since and entry.made_at <= line.prepared_at
        else
          entry.settled_at > line.settled_up_to
          and (line.settles_up_to is null or entry.settled_at <= line.settles_up_to)
      end`

/**
 * Whether an `earlier` transfer to the payee of a `line` failed or came back after the payee was last paid. Settlements are numbered in
 * the order of time within a currency; of another one, the times say it.
 */
export const wentBackSince = (kind: 'failed' | 'returned', at: RawBuilder<unknown>) => sql`
  coalesce(
    (
      select max(settlement.id) from settlements as settlement
      where settlement.payee_kind = earlier.payee_kind and settlement.payee_id = earlier.payee_id
        and settlement.run_line_id = earlier.id and settlement.kind = ${kind}
        and settlement.currency = line.currency
    ) > line.settled_up_to,
    ${at} > line.since
  )
`

/** Joins the `line`s with the rates of tax that these statements were the first to withhold at, and their approvals. */
export const joinNewTaxRates = sql`
    ${joinStatementsPaid}
    join statements as statement on statement.id = entry.statement_id
    join pay_periods as period on period.id = statement.period_id
    join pay_proposals as proposal
      on proposal.kind = 'tax rate' and proposal.payee_kind = line.payee_kind
      and proposal.payee_id = line.payee_id and proposal.from_day <= period.end_day
      and proposal.from_day > coalesce(
        (
          select max(earlier_period.end_day)
          from statements as earlier
          join pay_periods as earlier_period on earlier_period.id = earlier.period_id
          where earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
            and earlier.currency = line.currency and earlier_period.end_day < period.end_day
        ),
        '-infinity'
      )
    join pay_proposal_decisions as approval
      on approval.proposal_id = proposal.id and approval.decision = 'approved'`

export type PaidBefore = {
  lineId: number
  /** Whether its payee was ever paid to its account. */
  toThisAccount: boolean
  /** The account of the payee's last payment; null if there was none. */
  lastAccountId: number | null
  /** The payee's last payments in the run's currency, at most three, newest first. */
  amounts: number[]
}

export async function findPaidBefore(db: DbOrTx, runId: number): Promise<PaidBefore[]> {
  const { rows } = await sql<PaidBefore>`
    with
      line as (${linesSince(runId)}),
      paid as (
        select paid_line.*
        from payment_run_lines as paid_line
        join payment_results as result on result.run_line_id = paid_line.id and result.paid
        where not exists (
          select from payment_returns as returned where returned.run_line_id = paid_line.id
        )
      )
    select
      line.id as "lineId",
      exists (
        select from paid
        where paid.payee_kind = line.payee_kind and paid.payee_id = line.payee_id
          and paid.account_id = line.account_id
      ) as "toThisAccount",
      (
        select paid.account_id
        from paid
        where paid.payee_kind = line.payee_kind and paid.payee_id = line.payee_id
        order by paid.id desc
        limit 1
      ) as "lastAccountId",
      array(
        select sum(paid.amount)::bigint
        from paid
        where paid.payee_kind = line.payee_kind
          and paid.payee_id = line.payee_id
          and paid.currency = line.currency
        group by paid.run_id
        order by paid.run_id desc
        limit 3
      ) as amounts
    from line
    order by line.id
  `.execute(db)
  return rows
}

export type NewAdjustment = {
  lineId: number
  id: number
  amount: number
  countsAs: CountsAs
  reason: string
  takesBack: boolean
  by: string
  /** Null if it needed nobody else. */
  approvedBy: string | null
  at: Date
}

/** The adjustments on the statements that a line pays. */
export async function findNewAdjustments(db: DbOrTx, runId: number): Promise<NewAdjustment[]> {
  const { rows } = await sql<NewAdjustment>`
    with line as (${linesSince(runId)})
    select
      line.id as "lineId", adjustment.id, adjustment.amount,
      ${countsAsOf('adjustment')} as "countsAs", adjustment.reason,
      adjustment.opposite_of is not null as "takesBack",
      adjustment.made_by_name as by, approval.made_by_name as "approvedBy", adjustment.made_at as at
    from line
    ${joinStatementsPaid}
    join booked_adjustments as booked on booked.statement_id = entry.statement_id
    join adjustments as adjustment on adjustment.id = booked.adjustment_id
    left join (${adjustmentApprovals}) as approval on approval.adjustment_id = adjustment.id
    order by line.id, adjustment.id
  `.execute(db)
  return rows
}

export type NewEntry = {
  lineId: number
  kind: 'correction' | 'conversion' | 'outside' | 'received'
  /** In the line's currency. */
  amount: number
  /** Of a conversion. */
  pesosE4: number | null
  reason: string
  by: string
  approvedBy: string
  at: Date
}

/** What two people changed in a balance that a line pays, without a statement: payments outside, money received, conversions, corrections. */
export async function findNewEntries(db: DbOrTx, runId: number): Promise<NewEntry[]> {
  const { rows } = await sql<NewEntry>`
    with line as (${linesSince(runId)})
    select
      line.id as "lineId", entry.kind, entry.amount, proposal.pesos_e4 as "pesosE4", proposal.reason,
      proposal.made_by_name as by, approval.made_by_name as "approvedBy", entry.made_at as at
    from line
    ${joinEntriesOfTwo}
    join pay_proposals as proposal on proposal.id = entry.proposal_id
    join pay_proposal_decisions as approval
      on approval.proposal_id = proposal.id and approval.decision = 'approved'
    order by line.id, entry.id
  `.execute(db)
  return rows
}

export type NewTaxRate = {
  lineId: number
  fromDay: Day
  rateBp: number
  code: string | null
  reason: string
  by: string
  approvedBy: string
  at: Date
}

/** The rates of tax at which the statements that a line pays are the first to withhold. */
export async function findNewTaxRates(db: DbOrTx, runId: number): Promise<NewTaxRate[]> {
  const { rows } = await sql<NewTaxRate>`
    with line as (${linesSince(runId)})
    select
      line.id as "lineId", proposal.from_day as "fromDay", proposal.tax_bp as "rateBp",
      proposal.tax_code as code, proposal.reason, proposal.made_by_name as by,
      approval.made_by_name as "approvedBy", approval.made_at as at
    from line
    ${joinNewTaxRates}
    order by line.id, proposal.id
  `.execute(db)
  return rows
}

export type LiftedHold = { lineId: number; id: number; reason: string; by: string; at: Date }

export async function findLiftedHolds(db: DbOrTx, runId: number): Promise<LiftedHold[]> {
  const { rows } = await sql<LiftedHold>`
    with line as (${linesSince(runId)})
    select line.id as "lineId", hold.id, hold.reason, hold.set_by_name as by, hold.set_at as at
    from line
    join pay_holds as hold
      on hold.payee_kind = line.payee_kind and hold.payee_id = line.payee_id
      and not hold.held and hold.set_at > line.since
    order by line.id, hold.id
  `.execute(db)
  return rows
}

export type FailedBefore = {
  lineId: number
  reference: string
  amount: number
  reason: string
  by: string
  at: Date
  /** Whether it was read from a bank’s file; false if that is not known. */
  isFromFile: boolean
  /** The bank's day, if it had been paid and came back. */
  returnedOn: Day | null
}

/** Transfers to a line's payee that failed or came back. If one of them did arrive, this run pays it twice. */
export async function findFailedBefore(db: DbOrTx, runId: number): Promise<FailedBefore[]> {
  const { rows } = await sql<FailedBefore>`
    with line as (${linesSince(runId)})
    select
      line.id as "lineId", earlier.reference, earlier.amount, coalesce(result.reason, '') as reason,
      result.made_by_name as by, result.made_at as at, result.by_hand is false as "isFromFile",
      null as "returnedOn"
    from line
    join payment_run_lines as earlier
      on earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
      and earlier.currency = line.currency
    join payment_results as result
      on result.run_line_id = earlier.id and not result.paid
      and ${wentBackSince('failed', sql`result.made_at`)}
    union all
    select
      line.id, earlier.reference, earlier.amount, returned.reason, returned.made_by_name, returned.made_at,
      not returned.by_hand, returned.returned_on
    from line
    join payment_run_lines as earlier
      on earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
      and earlier.currency = line.currency
    join payment_returns as returned
      on returned.run_line_id = earlier.id and ${wentBackSince('returned', sql`returned.made_at`)}
    order by 1, 2
  `.execute(db)
  return rows
}

export type NewRate = {
  period: string
  pesosE4: number
  source: string | null
  by: string | null
  /** The rate of the period before; null without one. */
  before: number | null
}

/** The exchange rates of the statements that a run in dollars pays. */
export async function findNewRates(db: DbOrTx, runId: number): Promise<NewRate[]> {
  const { rows } = await sql<NewRate>`
    with
      line as (${linesSince(runId)}),
      paid_period as (
        select distinct statement.period_id
        from line
        ${joinStatementsPaid}
        join statements as statement on statement.id = entry.statement_id
        where line.currency = 'USD'
      )
    select
      period.name as period, period.pesos_e4 as "pesosE4", period.pesos_source as source,
      account.username as by,
      (
        select earlier.pesos_e4
        from pay_periods as earlier
        where earlier.start_day < period.start_day and earlier.pesos_e4 is not null
        order by earlier.start_day desc
        limit 1
      ) as before
    from paid_period
    join pay_periods as period on period.id = paid_period.period_id
    left join accounts as account on account.id = period.pesos_set_by
    where period.pesos_e4 is not null
    order by period.start_day
  `.execute(db)
  return rows
}

/** The newest run before this one that was approved with the same template, with how its files looked. */
export async function findLastApproved(
  db: DbOrTx,
  { id, template_id }: { id: number; template_id: number },
) {
  const { rows } = await sql<{ number: string; layout: unknown }>`
    select run.number, run.layout
    from payment_runs as run
    join payment_run_steps as step on step.run_id = run.id and step.step = 'approved'
    where run.template_id = ${template_id} and run.id < ${id}
    order by run.id desc
    limit 1
  `.execute(db)
  return rows[0]
}

/** The accounts that the payees of a run's lines sign in with. */
export async function findPayeeLogins(db: DbOrTx, runId: number) {
  const { rows } = await sql<{ lineId: number; accountId: number; since: Date | null }>`
    with line as (${linesSince(runId)})
    select
      line.id as "lineId", account.id as "accountId",
      case when line.since > '-infinity' then line.since end as since
    from line
    join accounts as account
      on (line.payee_kind = 'office' and account.office_id = line.payee_id and account.agent_id is null)
      or (line.payee_kind = 'agent' and account.agent_id = line.payee_id)
    order by line.id, account.id
  `.execute(db)
  return rows
}
