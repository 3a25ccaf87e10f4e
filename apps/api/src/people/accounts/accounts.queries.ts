import type { Permission } from '@tallyroom/domain/abilities'
import { type Role, roleNumber } from '@tallyroom/domain/roles'
import { type InferResult, sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { type HandBy, type KnownHandBy, recordHand } from '../hands/record-hand.ts'
import { recordGrant } from './pay-grants.queries.ts'
import { lookOf } from './username-look.ts'

/**
 * Accounts with the fields that every request needs, for the caller to filter and join. An agent's `office_id`
 * is their current office.
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
      'accounts.show_suspend_chosen',
      'accounts.pay',
      'accounts.delete_agents',
      'accounts.delete_sites',
      'accounts.suspended',
      'accounts.login_blocked',
      'accounts.login_open_until',
      'accounts.invited_at',
      'agents.approved_at',
    ])

export type AccountRow = InferResult<ReturnType<typeof selectAccounts>>[number]

/** The column of each permission. */
export const permissionColumns = {
  APPROVE_AGENTS: 'approve_agents',
  SHOW_COMMON_LOGS: 'show_common_logs',
  EARNING_VISIBLE: 'earning_visible',
  SHOW_SUSPEND: 'show_suspend',
  PAY: 'pay',
  DELETE_AGENTS: 'delete_agents',
  DELETE_SITES: 'delete_sites',
} as const satisfies Record<Permission, keyof AccountRow>

export type NewAccount = {
  username: string
  /** As returned by `hashPassword`. */
  passwordHash: string
  createdAt: Date
  madeBy: KnownHandBy
  /** If it isn't when the account says that it was created. */
  madeAt?: Date
  email?: string
  mustChangePassword?: boolean
  loginBlocked?: boolean
  /** Its holder is invited to choose a password: nobody knows this one. */
  isInvited?: boolean
  permissions?: readonly Permission[]
} & (
  | { role: Extract<Role, 'superadmin'> }
  | (Partial<Pick<NewPassword, 'sealPassword' | 'refuseNames'>> &
      (
        | { role: Extract<Role, 'admin'> }
        | { role: Extract<Role, 'company'>; officeId: number }
        | { role: Extract<Role, 'agent'>; agentId: number }
      ))
)

/** A password for storing: its hash, and a function for the readable copy. */
export type NewPassword = {
  passwordHash: string
  sealPassword: SealPassword
  /**
   * Called with the names of the account once its row is written.
   *
   * @throws VALIDATION_ERROR about `password`.
   */
  refuseNames: (names: readonly string[]) => void
}

/** Encrypts the readable copy of a password, bound to the account's id. Null if no copy is stored. */
type SealPassword = (accountId: number) => Buffer | null

/**
 * Inserts an account and returns its id. A duplicate username violates `accounts__username`, a lookalike
 * `accounts__username_look`.
 *
 * @throws VALIDATION_ERROR if the password is made of the account's names.
 */
export async function insertAccount(db: DbOrTx, account: NewAccount): Promise<number> {
  const granted = (account.permissions ?? []).map((name) => [permissionColumns[name], true])
  const id = await insertRow(db, 'accounts', {
    role: roleNumber(account.role),
    office_id: account.role === 'company' ? account.officeId : null,
    agent_id: account.role === 'agent' ? account.agentId : null,
    username: account.username,
    username_look: lookOf(account.username),
    email: account.email ?? null,
    password_hash: account.passwordHash,
    must_change_password: account.mustChangePassword ?? false,
    login_blocked: account.loginBlocked ?? false,
    invited_at: account.isInvited ? account.createdAt : null,
    created_at: account.createdAt,
    ...Object.fromEntries(granted),
  })
  await recordHand(db, {
    accountId: id,
    kinds: account.permissions?.includes('PAY') ? ['made', 'pay'] : ['made'],
    by: account.madeBy,
    at: account.madeAt ?? account.createdAt,
  })
  const movesMoney = account.role === 'superadmin' || account.permissions?.includes('PAY')
  if (movesMoney)
    await recordGrant(db, {
      accountId: id,
      granted: true,
      by: account.madeBy,
      at: account.madeAt ?? account.createdAt,
    })
  if (account.role === 'superadmin') return id
  account.refuseNames?.(await findNames(db, id))
  const sealed = movesMoney ? null : account.sealPassword?.(id)
  if (sealed) await updateSealedPassword(db, id, sealed)
  return id
}

/** Violates the same constraints as `insertAccount`. The caller must end the account's sessions. */
export async function updateUsername(
  tx: Tx,
  accountId: number,
  username: string,
  { by, now }: Change,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ username, username_look: lookOf(username) })
    .where('id', '=', accountId)
    .execute()
  await recordHand(tx, { accountId, kinds: ['username'], by, at: now })
}

/** Who changes an account, and when. */
type Change = { by: HandBy; now: Date }

/** The address for mails about the account, which replaces one that waits to be confirmed. Forms that were loaded before are then stale. */
export async function updateEmail(
  tx: Tx,
  accountId: number,
  email: string | null,
  { by, now }: Change,
): Promise<void> {
  const changed = await tx
    .updateTable('accounts')
    .set({ email, new_email: null, new_email_by: null, version: nextVersion })
    .where('id', '=', accountId)
    .where((eb) => eb.or([eb('email', 'is distinct from', email), eb('new_email', 'is not', null)]))
    .returning('agent_id as agentId')
    .executeTakeFirst()
  if (!changed) return
  await outdateAgent(tx, changed)
  await endMailedLinks(tx, accountId)
  await recordHand(tx, { accountId, kinds: ['email'], by, at: now })
}

/** An address that waits to be confirmed; null for none. Forms that were loaded before are then stale. */
export async function updateNewEmail(
  tx: Tx,
  accountId: number,
  email: string | null,
  { by, now }: { by: Exclude<HandBy, string>; now: Date },
): Promise<void> {
  const changed = await tx
    .updateTable('accounts')
    .set({
      new_email: email,
      new_email_by: email === null ? null : by.accountId,
      version: nextVersion,
    })
    .where('id', '=', accountId)
    .returning('agent_id as agentId')
    .executeTakeFirstOrThrow()
  await outdateAgent(tx, changed)
  if (email !== null) await recordHand(tx, { accountId, kinds: ['new email'], by, at: now })
}

const nextVersion = sql<number>`version + 1`

/** The form of an agent shows the address of their account. */
async function outdateAgent(tx: Tx, { agentId }: { agentId: number | null }): Promise<void> {
  if (agentId !== null) await updateRow(tx, 'agents', agentId, {})
}

/**
 * Stores a new password, without a readable copy for whoever can move money. `replacePassword` of the sessions also
 * ends the account's sessions.
 *
 * @throws VALIDATION_ERROR if the password is made of the account's names.
 */
export async function updatePassword(
  tx: Tx,
  accountId: number,
  { passwordHash, sealPassword, refuseNames }: NewPassword,
  { mustChange, by, now }: Change & { mustChange: boolean },
): Promise<void> {
  refuseNames(await findNames(tx, accountId))
  const sealed = sealPassword(accountId)
  const readable = sql<Buffer | null>`
    case when pay or role = ${roleNumber('superadmin')} then null else ${sealed}::bytea end
  `
  await tx
    .updateTable('accounts')
    .set({
      password_hash: passwordHash,
      password_sealed: readable,
      password_set_at: now,
      must_change_password: mustChange,
      invited_at: null,
      invitation_ends_at: null,
    })
    .where('id', '=', accountId)
    .execute()
  // Whoever knew the former password could have entered it.
  const dropped = await tx
    .updateTable('accounts')
    .set({ new_email: null, new_email_by: null, version: nextVersion })
    .where('id', '=', accountId)
    .whereRef('new_email_by', '=', 'id')
    .returning('agent_id as agentId')
    .executeTakeFirst()
  if (dropped) await outdateAgent(tx, dropped)
  await endMailedLinks(tx, accountId)
  // Nor does a sign-in provider open it by what they connected: its holder is matched anew.
  await tx.deleteFrom('provider_links').where('account_id', '=', accountId).execute()
  await recordHand(tx, { accountId, kinds: ['password'], by, at: now })
}

/** Links that set a new password: whoever reads the former mailbox, or asked before the last password, has no say any more. */
const endMailedLinks = (tx: Tx, accountId: number) =>
  tx
    .deleteFrom('sign_in_tokens')
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'password-reset')
    .execute()

/** The names of account, person and office, none of which is secret. */
async function findNames(db: DbOrTx, accountId: number): Promise<string[]> {
  const { email, ...names } = await db
    .selectFrom('accounts as account')
    .leftJoin('agents as agent', 'agent.id', 'account.agent_id')
    .leftJoin('offices as office', (join) =>
      join.on('office.id', '=', (eb) => eb.fn.coalesce('account.office_id', 'agent.office_id')),
    )
    .select([
      'account.username',
      'account.email',
      'agent.first_name',
      'agent.last_name',
      'office.name',
      'office.man_first_name',
      'office.man_last_name',
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const mailbox = email?.split('@', 1)[0]
  return [...Object.values(names), mailbox].filter((name) => name != null)
}

/** Sets the readable copy; null deletes it. */
export async function updateSealedPassword(
  db: DbOrTx,
  accountId: number,
  sealed: Buffer | null,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_sealed: sealed })
    .where('id', '=', accountId)
    .execute()
}

export type SealedPassword = { id: number; sealed: Buffer }

/** The readable copies that do not start with `head`, so were not encrypted with that key. */
export const findSealedOtherwise = (db: DbOrTx, head: Buffer): Promise<SealedPassword[]> =>
  db
    .selectFrom('accounts')
    .select(['id', 'password_sealed as sealed'])
    .where('password_sealed', 'is not', null)
    .$narrowType<{ sealed: Buffer }>()
    .where(sql<boolean>`substring(password_sealed from 1 for ${head.length}) <> ${head}`)
    .forNoKeyUpdate()
    .execute()

/** Returns the number of deleted copies. */
export async function deleteSealedPasswords(db: DbOrTx): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ password_sealed: null })
    .where('password_sealed', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Whether any account exists. A database without accounts is new. */
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

export async function findUsername(db: Db, accountId: number): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('username')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account?.username
}

/** The readable copy of an account's password; null if there is none, as for whoever can move money. */
export async function findSealedPassword(db: DbOrTx, accountId: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('accounts')
    .select('password_sealed')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.password_sealed ?? null
}

/** Whether the seed filled this database with the demo world. */
export async function isDemoWorld(db: DbOrTx): Promise<boolean> {
  const mark = await db.selectFrom('demo_world').select('filled_at').executeTakeFirst()
  return mark !== undefined
}
