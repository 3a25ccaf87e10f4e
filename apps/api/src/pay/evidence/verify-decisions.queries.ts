import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { placeOf } from '../../seals/index.ts'
import type { Proposal } from '../ledger/proposals.queries.ts'

/** Which decisions: all, or those about these. */
export type DecisionsOf =
  | 'all'
  | {
      runIds: readonly number[]
      accountIds: readonly number[]
      proposalIds: readonly number[]
    }

/** Whether a decision is about one of these. */
const isOf = (of: DecisionsOf | undefined, about: keyof Exclude<DecisionsOf, 'all'>, id: string) =>
  of === undefined || of === 'all'
    ? sql`true`
    : sql`${sql.ref(id)} = any(${[...of[about]]}::bigint[])`

/** What is asked: from which place in the chain of seals on, about what, and how much of it. */
type Asked = { after: number; of?: DecisionsOf; limit: number }

/** A decision: by whom, and when. `before` is its place in the chain of seals. */
type Decided = { by: number; name: string; at: Date; before: number }

/** Every approval of a run, its number, and its place in the chain of seals. */
const approvals = sql`
  select
    step.run_id, run.number, step.made_by, step.made_by_name, step.made_at,
    ${placeOf('payment_run_steps', sql`concat(step.run_id, '/', step.step)`)} as before
  from payment_run_steps as step
  join payment_runs as run on run.id = step.run_id
  where step.step = 'approved'
`

export async function findApprovals(
  db: DbOrTx,
  { after, of }: Omit<Asked, 'limit'>,
): Promise<({ runId: number; number: string } & Decided)[]> {
  const { rows } = await sql<{ runId: number; number: string } & Decided>`
    select
      run_id as "runId", number, made_by as by, made_by_name as name, made_at as at, before
    from (${approvals}) as approval
    where before > ${after} and ${isOf(of, 'runIds', 'run_id')}
    order by before
  `.execute(db)
  return rows
}

/** Lines of approved runs that the approval would have refused, as sentences. */
export async function findLineDifferences(
  db: DbOrTx,
  { after, of, limit }: Asked,
): Promise<string[]> {
  const { rows } = await sql<{ reference: string; what: string }>`
    with
      approval as materialized (
        select * from (${approvals}) as approval
        where before > ${after} and ${isOf(of, 'runIds', 'run_id')}
      ),
      line as (
        select line.*, approval.made_at, approval.before
        from approval
        join payment_run_lines as line
          on line.run_id = approval.run_id and line.removed_because is null
      ),
      account as (
        select
          line.id as line_id, account.*,
          case
            when account.doubts <> '{}' or exists (
              select from payee_account_shares as share
              where share.account_id = account.id
                and ${placeOf('payee_account_shares', sql`concat(share.account_id, '/', share.payee_kind, '/', share.payee_id)`)} < line.before
            ) then 2
            else account.confirmations
          end as needed,
          (
            select case when bool_and(decision.confirmed) is false then -1 else count(*) end
            from payee_account_decisions as decision
            where decision.account_id = account.id
              and ${placeOf('payee_account_decisions', sql`concat(decision.account_id, '/', decision.decided_by)`)} < line.before
          ) as confirmed
        from line
        join payee_accounts as account on account.id = line.account_id
        where ${placeOf('payee_accounts', sql`account.id::text`)} < line.before
      ),
      found as (
        select
          line.reference,
          case
            when account.id is null
              or (account.payee_kind, account.payee_id, account.currency)
                is distinct from (line.payee_kind, line.payee_id, line.currency)
              then 'is paid to an account that is not its payee’s.'
            when account.confirmed = -1 then 'is paid to an account that had been refused.'
            when coalesce(account.confirmed, 0) < account.needed
              then format('is paid to an account that %s of %s people had confirmed.', coalesce(account.confirmed, 0), account.needed)
            when account.paid_from > (line.made_at at time zone ${sql.lit(NEW_YORK)})::date
              then format('was approved before its account could be paid, on %s.', account.paid_from)
            when exists (
              select from payee_accounts as newer
              where newer.payee_kind = line.payee_kind and newer.payee_id = line.payee_id
                and newer.id > account.id
                and ${placeOf('payee_accounts', sql`newer.id::text`)} < line.before
                and not exists (
                  select from payee_account_decisions as decision
                  where decision.account_id = newer.id and not decision.confirmed
                    and ${placeOf('payee_account_decisions', sql`concat(decision.account_id, '/', decision.decided_by)`)} < line.before
                )
            ) then 'is paid to an account that its payee had replaced.'
            when (
              select hold.held
              from pay_holds as hold
              where hold.payee_kind = line.payee_kind and hold.payee_id = line.payee_id
                and ${placeOf('pay_holds', sql`hold.id::text`)} < line.before
              order by hold.id desc
              limit 1
            ) then 'was approved while its payee was on hold.'
          end as what
        from line
        left join account on account.line_id = line.id
      )
    select reference, what from found where what is not null order by reference limit ${limit}
  `.execute(db)
  return rows.map(({ reference, what }) => `${reference} ${what}`)
}

/** Approved runs whose files do not carry their lines, and downloads of other files, as sentences. */
export async function findFileDifferences(
  db: DbOrTx,
  { after, of, limit }: Asked,
): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with approval as materialized (
        select * from (${approvals}) as approval
        where before > ${after} and ${isOf(of, 'runIds', 'run_id')}
      )
    select format('The files of %s differ from its lines.', approval.number) as what
    from approval
    where (
        select row(count(*), coalesce(sum(line.amount), 0)) from payment_run_lines as line
        where line.run_id = approval.run_id and line.removed_because is null
      ) is distinct from (
        select row(coalesce(sum(file.lines), 0), coalesce(sum(file.amount), 0)) from payment_run_files as file
        where file.run_id = approval.run_id and file.redates is null
      )
    union all
    select format('%s with the date %s is not what was approved with another date.', dated.name, dated.execution_day)
    from approval
    join payment_runs as run on run.id = approval.run_id
    join payment_run_files as dated on dated.run_id = run.id and dated.redates is not null
    where dated.execution_day <= run.execution_day
      or not exists (
        select from payment_run_files as file
        where file.run_id = dated.run_id and file.place = dated.redates and file.redates is null
          and (file.name, file.channel, file.lines, file.amount)
            = (dated.name, dated.channel, dated.lines, dated.amount)
          and coalesce(file.undated_sha256, dated.undated_sha256) = dated.undated_sha256
      )
    union all
    select format('Download %s of %s was not of a file that was approved.', download.id, approval.number)
    from approval
    join payment_file_downloads as download on download.run_id = approval.run_id
    where not exists (
      select from payment_run_files as file
      where file.run_id = download.run_id and file.name = download.name and file.sha256 = download.sha256
    )
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => what)
}

/** Every confirmation of a payee's account, and who had confirmed it before. */
export async function findConfirmations(
  db: DbOrTx,
  { after, of }: Omit<Asked, 'limit'>,
): Promise<({ accountId: number; earlier: number[] } & Decided)[]> {
  const { rows } = await sql<{ accountId: number; earlier: number[] } & Decided>`
    with decision as (
      select
        account_id, decided_by, decided_by_name, decided_at, confirmed,
        ${placeOf('payee_account_decisions', sql`concat(account_id, '/', decided_by)`)} as before
      from payee_account_decisions
    )
    select
      account_id as "accountId", decided_by as by, decided_by_name as name, decided_at as at, before,
      array(
        select earlier.decided_by::float8
        from decision as earlier
        where earlier.account_id = decision.account_id and earlier.confirmed
          and earlier.before < decision.before
      ) as earlier
    from decision
    where confirmed and before > ${after} and ${isOf(of, 'accountIds', 'account_id')}
    order by before
  `.execute(db)
  return rows
}

/** Payees' accounts that count once one person has confirmed them. */
export async function findAccountsOfOne(
  db: DbOrTx,
  { after, of }: Omit<Asked, 'limit'>,
): Promise<({ accountId: number; doubts: string[] } & Omit<Decided, 'name'>)[]> {
  const { rows } = await sql<{ accountId: number; doubts: string[] } & Omit<Decided, 'name'>>`
    select *
    from (
      select
        id as "accountId", doubts, entered_by as by, entered_at as at,
        ${placeOf('payee_accounts', sql`payee_accounts.id::text`)} as before
      from payee_accounts
      where confirmations < 2 and ${isOf(of, 'accountIds', 'id')}
    ) as account
    where before > ${after}
    order by before
  `.execute(db)
  return rows
}

type ApprovedProposal = { id: number; kind: Proposal['act']['kind']; madeBy: number } & Decided

export async function findApprovedProposals(
  db: DbOrTx,
  { after, of }: Omit<Asked, 'limit'>,
): Promise<ApprovedProposal[]> {
  const { rows } = await sql<ApprovedProposal>`
    select *
    from (
      select
        proposal.id, proposal.kind, proposal.made_by as "madeBy", decision.made_by as by,
        decision.made_by_name as name, decision.made_at as at,
        ${placeOf('pay_proposal_decisions', sql`decision.proposal_id::text`)} as before
      from pay_proposal_decisions as decision
      join pay_proposals as proposal on proposal.id = decision.proposal_id
      where decision.decision = 'approved' and ${isOf(of, 'proposalIds', 'proposal.id')}
    ) as approved
    where before > ${after}
    order by before
  `.execute(db)
  return rows
}
