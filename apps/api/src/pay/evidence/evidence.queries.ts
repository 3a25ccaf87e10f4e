import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** How many of a payee's newest payments count, besides those that still decide something: the next is compared with three. */
const PAYMENTS = 4
/** How many of a payee's newest statements count in each currency: more than can be held at once. */
const STATEMENTS = 16

/** What the next payment of some payees rests on, by ids. */
export type Resting = {
  /** Into which they are paid. */
  accounts: number[]
  lines: number[]
  runs: number[]
  statements: number[]
  proposals: number[]
  /** Whoever signs in as one of the payees, or entered or decided about an account or a proposal. */
  people: number[]
}

/**
 * Finds what the next payment of these payees rests on. Of their earlier payments, those that are open, that say since when things
 * are new, and the newest; of their statements, the newest: the last one's `carried` is the sum of all entries before it. Of what
 * came after it, everything: the lines of their entries, and all lines of runs approved since, as one that was moved to another
 * payee would leave this one with its amount.
 */
export async function findResting(db: DbOrTx, payees: readonly PayeeKey[]): Promise<Resting> {
  const { rows } = await sql<Resting>`
    with
      payee as (
        select *
        from unnest(
          ${payees.map(({ kind }) => kind)}::text[], ${payees.map(({ id }) => id)}::int[]
        ) as payee (payee_kind, payee_id)
      ),
      account as (
        select account.id, account.entered_by from payee_accounts as account
        join payee using (payee_kind, payee_id)
      ),
      statement as (
        select
          entry.id, entry.statement_id, entry.payee_kind, entry.payee_id, entry.currency, entry.made_at,
          row_number() over (
            partition by payee_kind, payee_id, entry.currency order by entry.id desc
          ) as place
        from balance_entries as entry
        join payee using (payee_kind, payee_id)
        where entry.kind = 'statement'
      ),
      since as (
        select min(made_at) as at
        from (
          select max(made_at) as made_at from statement group by payee_kind, payee_id
        ) as last
      ),
      line as (
        select id, run_id
        from (
          select
            line.id, line.run_id, line.open,
            row_number() over (
              partition by payee_kind, payee_id, line.currency order by line.id desc
            ) as by_id,
            row_number() over (
              partition by payee_kind, payee_id, line.currency
              order by run.prepared_at desc, line.id desc
            ) as by_time,
            row_number() over (
              partition by payee_kind, payee_id, account_id,
                line.part_reason is null and exists (
                  select from payment_results as result where result.run_line_id = line.id and result.paid
                )
              order by line.id desc
            ) as by_account
          from payment_run_lines as line
          join payment_runs as run on run.id = line.run_id
          join payee using (payee_kind, payee_id)
        ) as found
        where open or by_id <= ${PAYMENTS} or by_time <= ${PAYMENTS} or by_account = 1
        union
        select line.id, line.run_id
        from since
        join payment_run_steps as step on step.step = 'approved' and step.made_at >= since.at
        join payment_run_lines as line on line.run_id = step.run_id
        union
        select line.id, line.run_id
        from balance_entries as entry
        join payee using (payee_kind, payee_id)
        join payment_run_lines as line on line.id = entry.run_line_id
        left join statement as last
          on last.payee_kind = entry.payee_kind and last.payee_id = entry.payee_id
          and last.currency = entry.currency and last.place = 1
        where last.id is null or entry.id > last.id
      ),
      proposal as (
        select proposal.id, proposal.made_by from pay_proposals as proposal
        join payee using (payee_kind, payee_id)
        union
        select id, made_by from pay_proposals where payee_kind is null
      )
    select
      array(select id from account) as accounts,
      array(select id from line) as lines,
      array(select distinct run_id from line) as runs,
      array(select statement_id from statement where place <= ${STATEMENTS}) as statements,
      array(select id from proposal) as proposals,
      array(
        select entered_by from account
        union
        select decided_by from payee_account_decisions where account_id in (select id from account)
        union
        select made_by from proposal
        union
        select made_by from pay_proposal_decisions where proposal_id in (select id from proposal)
        union
        select account.id from accounts as account
        where exists (
          select from payee
          where payee_kind = 'office' and account.office_id = payee_id
            or payee_kind = 'agent' and account.agent_id = payee_id
        )
      )::bigint[] as people
  `.execute(db)
  return rows[0] ?? { accounts: [], lines: [], runs: [], statements: [], proposals: [], people: [] }
}
