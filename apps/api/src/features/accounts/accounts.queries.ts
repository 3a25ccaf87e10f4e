import type { Permission } from '@tallyroom/domain/abilities'
import { type Role, roleNumber } from '@tallyroom/domain/roles'
import type { InferResult } from 'kysely'
import type { Db, DbOrTx } from '../../db/database.ts'

/**
 * Accounts with what each request needs to know of them, to be narrowed and joined by the caller.
 * An agent's `office_id` is the office it belongs to now.
 */
export const selectAccounts = (db: DbOrTx) =>
  db
    .selectFrom('accounts')
    .leftJoin('agents', 'agents.id', 'accounts.agent_id')
    .select((eb) => [
      'accounts.id',
      'accounts.username',
      'accounts.role',
      'accounts.agent_id',
      eb.fn.coalesce('accounts.office_id', 'agents.office_id').as('office_id'),
      'accounts.approve_agents',
      'accounts.show_common_logs',
      'accounts.earning_visible',
      'accounts.show_suspend',
      'accounts.delete_agents',
      'accounts.delete_sites',
      'accounts.login_blocked',
      'accounts.login_open_until',
      'agents.approved_at',
    ])

export type AccountRow = InferResult<ReturnType<typeof selectAccounts>>[number]

/** Where each permission is granted. */
export const permissionColumns = {
  APPROVE_AGENTS: 'approve_agents',
  SHOW_COMMON_LOGS: 'show_common_logs',
  EARNING_VISIBLE: 'earning_visible',
  SHOW_SUSPEND: 'show_suspend',
  DELETE_AGENTS: 'delete_agents',
  DELETE_SITES: 'delete_sites',
} as const satisfies Record<Permission, keyof AccountRow>

export type NewAccount = {
  username: string
  /** As `hashPassword` makes it. */
  passwordHash: string
  createdAt: Date
  email?: string
  passwordSealed?: Buffer
  mustChangePassword?: boolean
  permissions?: readonly Permission[]
} & (
  | { role: Extract<Role, 'superadmin' | 'admin'> }
  | { role: Extract<Role, 'company'>; officeId: number }
  | { role: Extract<Role, 'agent'>; agentId: number }
)

/** Gives the new account's id. A username that is taken violates `accounts__username`. */
export async function insertAccount(db: DbOrTx, account: NewAccount): Promise<number> {
  const granted = (account.permissions ?? []).map((name) => [permissionColumns[name], true])
  const { id } = await db
    .insertInto('accounts')
    .values({
      role: roleNumber(account.role),
      office_id: account.role === 'company' ? account.officeId : null,
      agent_id: account.role === 'agent' ? account.agentId : null,
      username: account.username,
      email: account.email ?? null,
      password_hash: account.passwordHash,
      password_sealed: account.passwordSealed ?? null,
      must_change_password: account.mustChangePassword ?? false,
      created_at: account.createdAt,
      ...Object.fromEntries(granted),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function hasAccounts(db: DbOrTx): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findOfficeName(db: Db, officeId: number): Promise<string | undefined> {
  const office = await db
    .selectFrom('offices')
    .select('name')
    .where('id', '=', officeId)
    .executeTakeFirst()
  return office?.name
}
