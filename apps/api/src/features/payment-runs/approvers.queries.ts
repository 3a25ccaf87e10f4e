import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** Runs prepared by somebody else that await approval, and when the oldest was prepared. */
export async function countRunsToApprove(
  db: DbOrTx,
  viewerId: number,
): Promise<{ count: number; since: Date | null }> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*) as count, min(run.prepared_at) as since
    from payment_runs as run
    where run.prepared_by <> ${viewerId}
      and not exists (select from payment_run_steps as step where step.run_id = run.id)
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}

/** The accounts that may pay, by name. */
export async function findPayHolders(db: DbOrTx): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, username as name
    from accounts
    where not suspended
      and (role = ${roleNumber('superadmin')} or (role = ${roleNumber('admin')} and pay))
    order by lower(username)
  `.execute(db)
  return rows
}

/** Everybody who confirmed an account of one of the run's payees since that payee was last paid. */
export async function findConfirmers(
  db: DbOrTx,
  runId: number,
): Promise<{ by: number; payee: string }[]> {
  const { rows } = await sql<{ by: number; payee: string }>`
    select distinct decision.decided_by as by, line.payee_name as payee
    from payment_run_lines as line
    join payee_accounts as account
      on account.payee_kind = line.payee_kind and account.payee_id = line.payee_id
    join payee_account_decisions as decision
      on decision.account_id = account.id and decision.confirmed
    where line.run_id = ${runId}
      and line.open
      and decision.decided_at > coalesce(
        (
          select max(result.made_at)
          from payment_results as result
          join payment_run_lines as earlier on earlier.id = result.run_line_id
          where result.paid
            and earlier.payee_kind = line.payee_kind
            and earlier.payee_id = line.payee_id
        ),
        '-infinity'
      )
    order by line.payee_name
  `.execute(db)
  return rows
}
