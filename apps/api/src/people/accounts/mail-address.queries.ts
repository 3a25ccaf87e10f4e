import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { whyClosed } from './account.ts'

/**
 * The address for mails about an account; null if there is none. For an office it is its manager's, wherever it
 * is shown or compared. The account's own address counts only if the manager has none; saving an office writes
 * both. Reads `office` and `account`.
 */
export const mailAddress = sql<string | null>`coalesce(office.man_email, account.email)`

/** Accounts with their addresses, for the caller to filter. */
export const selectAddresses = (db: DbOrTx) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('offices as office', 'office.id', 'account.office_id')
    .select(['account.id', 'account.username', mailAddress.as('email')])

/** Whom to notify about a change of an account. Read this before the change. */
export const getHolder = (db: DbOrTx, accountId: number) =>
  selectAddresses(db).where('account.id', '=', accountId).executeTakeFirstOrThrow()

/** An address of an office's or agent's account. */
export type Reachable = { officeId: number | null; agentId: number | null; email: string }

/** Where the holders of these offices' and agents' accounts read mails: those who have an address and may sign in. */
export async function findReachable(
  db: DbOrTx,
  { officeIds, agentIds }: { officeIds: readonly number[]; agentIds: readonly number[] },
  now: Date,
): Promise<Reachable[]> {
  const accounts = await selectAddresses(db)
    .leftJoin('agents as agent', 'agent.id', 'account.agent_id')
    .select([
      'account.office_id',
      'account.agent_id',
      'account.suspended',
      'account.login_blocked',
      'account.login_open_until',
      'agent.approved_at',
    ])
    .where(
      sql<boolean>`account.office_id = any(${[...officeIds]}::bigint[]) or account.agent_id = any(${[...agentIds]}::bigint[])`,
    )
    .execute()
  return accounts.flatMap(({ office_id, agent_id, email, ...account }) =>
    email && whyClosed({ agent_id, ...account }, now) === undefined
      ? [{ officeId: office_id, agentId: agent_id, email }]
      : [],
  )
}
