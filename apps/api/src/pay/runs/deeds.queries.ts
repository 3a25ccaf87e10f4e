import type { Deed } from '@tallyroom/domain/acts'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { DeedApproval } from '../../people/index.ts'
import { type AsOf, placeOf, stoodAt } from '../../seals/index.ts'
import { isInFile } from '../ledger/payment-days.queries.ts'
import {
  joinEntriesOfTwo,
  joinNewTaxRates,
  joinStatementsPaid,
  linesSince,
  type NextPayment,
  wentBackSince,
} from './news.queries.ts'

/** Something that somebody did to what a line of a run pays, since its payee was last paid to the line's account. */
export type LineDeed = {
  lineId: number
  deed: Deed
  by: number
  at: Date
  /** The payee, or the period of an exchange rate. */
  of: string
  /** Who approved it as a second person; null if it needed nobody else. */
  approved: DeedApproval | null
}

/**
 * What was done to the payees of a run's lines: their accounts, holds, adjustments, exchange rates and results; with the
 * approvals of what waited for one.
 */
export async function findLineDeeds(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf,
): Promise<LineDeed[]> {
  const key = sql`decision.proposal_id::text`
  const { rows } = await sql<
    Omit<LineDeed, 'approved'> & {
      approvedBy: number | null
      approvedAt: Date | null
      approvedPlace: number
    }
  >`
    with
      line as (${linesSince(of, asOf)}),
      -- What was made by being approved: the id of an adjustment, a rate or a line.
      made as (
        select
          proposal.kind, decision.proposal_id, coalesce(proposal.run_line_id, decision.made_id) as made_id
        from pay_proposal_decisions as decision
        join pay_proposals as proposal on proposal.id = decision.proposal_id
        where decision.decision = 'approved'
        union all
        select proposal.kind, proposal.id, refused.id
        from pay_proposals as proposal
        join pay_proposal_decisions as decision
          on decision.proposal_id = proposal.id and decision.decision = 'approved'
        join payment_run_lines as refused on refused.run_id = proposal.run_id
        where proposal.kind = 'refused file' and ${isInFile(sql`refused`, sql`proposal.file_name`)}
      ),
      deed as (${lineDeeds(asOf)})
    select
      deed.line_id as "lineId", deed.deed, deed.by, deed.at, deed.of,
      decision.made_by as "approvedBy", decision.made_at as "approvedAt",
      ${placeOf('pay_proposal_decisions', key)} as "approvedPlace"
    from deed
    left join pay_proposal_decisions as decision
      on decision.proposal_id = deed.proposal_id and decision.decision = 'approved'
      and ${stoodAt(asOf, 'pay_proposal_decisions', key)}
    order by deed.at, deed.line_id
  `.execute(db)
  return rows.map(({ approvedBy, approvedAt, approvedPlace, ...deed }) => ({
    ...deed,
    approved:
      approvedBy === null || approvedAt === null
        ? null
        : { by: approvedBy, at: approvedAt, before: approvedPlace },
  }))
}

/** The deeds of `line`s, each with the proposal whose approval did it; null if it needed none. */
const lineDeeds = (asOf: AsOf) => sql`
    select
      line.id as line_id, 'confirmed' as deed, decision.decided_by as by, decision.decided_at as at,
      line.payee_name as of, null::bigint as proposal_id
    from line
    join payee_account_decisions as decision
      on decision.account_id = line.account_id and decision.confirmed
      and decision.decided_at > line.since
      and ${stoodAt(asOf, 'payee_account_decisions', sql`concat(decision.account_id, '/', decision.decided_by)`)}
    union all
    select line.id, 'held', hold.set_by, hold.set_at, line.payee_name, null
    from line
    join pay_holds as hold
      on hold.payee_kind = line.payee_kind and hold.payee_id = line.payee_id
      and hold.set_at > line.since
      and ${stoodAt(asOf, 'pay_holds', sql`hold.id::text`)}
    union all
    -- A bank's file can be forged by whoever reads it. Results from before it was known how they came bar nobody.
    select
      line.id, case when result.by_hand then 'failed' else 'read failed' end, result.made_by, result.made_at,
      line.payee_name, made.proposal_id
    from line
    join payment_run_lines as earlier
      on earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
    join payment_results as result
      on result.run_line_id = earlier.id and not result.paid and result.by_hand is not null
      and ${wentBackSince('failed', sql`result.made_at`)}
      and ${stoodAt(asOf, 'payment_results', sql`result.run_line_id::text`)}
    left join made
      on made.kind = case when result.refused_on is null then 'result' else 'refused file' end
      and made.made_id = result.run_line_id and result.by_hand
    union all
    select
      line.id, case when returned.by_hand then 'returned' else 'read returned' end, returned.made_by,
      returned.made_at, line.payee_name, made.proposal_id
    from line
    join payment_run_lines as earlier
      on earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
    join payment_returns as returned
      on returned.run_line_id = earlier.id and ${wentBackSince('returned', sql`returned.made_at`)}
      and ${stoodAt(asOf, 'payment_returns', sql`returned.run_line_id::text`)}
    left join made
      on made.kind = 'return' and made.made_id = returned.run_line_id and returned.by_hand
    union all
    -- Only those that stand on a statement: what is not booked yet is not in the balance.
    select
      line.id, 'adjusted', adjustment.made_by, adjustment.made_at, line.payee_name, made.proposal_id
    from line
    ${joinStatementsPaid}
    join booked_adjustments as booked on booked.statement_id = entry.statement_id
    join adjustments as adjustment on adjustment.id = booked.adjustment_id
    left join made on made.kind = 'adjustment' and made.made_id = adjustment.id
    union all
    select
      line.id,
      case entry.kind
        when 'outside' then 'paid outside' when 'received' then 'received' when 'conversion' then 'converted'
        else 'adjusted'
      end,
      proposal.made_by, entry.made_at, line.payee_name, proposal.id
    from line
    ${joinEntriesOfTwo}
    join pay_proposals as proposal on proposal.id = entry.proposal_id
    union all
    select line.id, 'set tax', proposal.made_by, approval.made_at, line.payee_name, proposal.id
    from line
    ${joinNewTaxRates}
    union all
    -- Only for statements that were converted. Names are escaped in their content, a JSON text.
    select
      line.id, 'set rate', period.pesos_set_by, period.closed_at, period.name, made.proposal_id
    from line
    ${joinStatementsPaid}
    join statements as statement on statement.id = entry.statement_id
    join pay_periods as period on period.id = statement.period_id
    left join (
      -- The one in force when the period was closed.
      select rate.period, max(rate.id) as id from pay_exchange_rates as rate group by rate.period
    ) as rate on rate.period = period.name
    left join made on made.kind = 'exchange rate' and made.made_id = rate.id
    where period.pesos_set_by is not null
      and position('"conversion":{' in convert_from(statement.content, 'UTF8')) > 0
`

/** The periods whose statements a line pays: what was booked since its payee was last paid to this account. */
export async function findPaidPeriods(db: DbOrTx, of: number | NextPayment, asOf: AsOf) {
  const { rows } = await sql<{
    lineId: number
    kind: string
    payeeId: number
    name: string
    periodId: number
  }>`
    with line as (${linesSince(of, asOf)})
    select
      line.id as "lineId", line.payee_kind as kind, line.payee_id as "payeeId",
      line.payee_name as name, statement.period_id as "periodId"
    from line
    ${joinStatementsPaid}
    join statements as statement on statement.id = entry.statement_id
  `.execute(db)
  return rows
}

/** Every backdating that differences of sales name. Most networks have none. */
export async function findBackdatings(
  db: DbOrTx,
): Promise<ReadonlyMap<number, { by: number; at: Date }>> {
  const rows = await db
    .selectFrom('rate_backdatings')
    .select(['id', 'made_by as by', 'made_at as at'])
    .where('sales', '>', 0)
    .execute()
  return new Map(rows.map(({ id, by, at }) => [id, { by, at }]))
}

/** The backdatings whose differences were booked for these payees in these periods. */
export async function findBackdated(
  db: DbOrTx,
  { periodIds, payeeIds }: { periodIds: readonly number[]; payeeIds: readonly number[] },
) {
  const { rows } = await sql<{
    kind: string
    payeeId: number
    periodId: number
    backdatingId: number
  }>`
    select distinct
      booking.payee_kind as kind, booking.payee_id as "payeeId", booking.period_id as "periodId",
      event.backdating_id as "backdatingId"
    from bookings as booking
    join sale_events as event on event.agent_id = booking.agent_id and event.id = booking.event_id
    where booking.period_id = any(${[...periodIds]}::bigint[])
      and booking.payee_id = any(${[...payeeIds]}::bigint[])
      and booking.quantity = 0
      and event.backdating_id is not null
  `.execute(db)
  return rows
}

/** Who changed a template since the newest run of it that was approved before this one was prepared. */
export async function findTemplateChangers(
  db: DbOrTx,
  { id, template_id }: { id: number; template_id: number },
  asOf: AsOf,
) {
  const { rows } = await sql<{ by: number; at: Date }>`
    select change.made_by as by, change.made_at as at
    from pay_file_template_changes as change
    where change.template_id = ${template_id}
      and change.made_at <= (select prepared_at from payment_runs where id = ${id})
      and change.made_at > coalesce(
        (
          select max(earlier.prepared_at)
          from payment_runs as earlier
          join payment_run_steps as step on step.run_id = earlier.id and step.step = 'approved'
          where earlier.template_id = ${template_id} and earlier.id < ${id}
            and ${stoodAt(asOf, 'payment_run_steps', sql`concat(step.run_id, '/', step.step)`)}
        ),
        '-infinity'
      )
    order by change.id
  `.execute(db)
  return rows
}
