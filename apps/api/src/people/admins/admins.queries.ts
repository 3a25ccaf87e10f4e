import { roleNumber } from '@tallyroom/domain/roles'
import { type InferResult, type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

const selectAdmins = (db: DbOrTx) => selectStaff(db).where('role', '=', roleNumber('admin'))

const selectStaff = (db: DbOrTx) =>
  db
    .selectFrom('accounts')
    .select([
      'id',
      'username',
      'email',
      'password_sealed as sealed',
      'invited_at as invitedAt',
      'invitation_ends_at as invitationEndsAt',
      'earning_visible',
      'approve_agents',
      'show_suspend',
      'show_common_logs',
      'pay',
      'suspended',
      'login_blocked',
      'version',
    ])

export type AdminRow = InferResult<ReturnType<typeof selectAdmins>>[number]

export type AdminOrder = { sortField: keyof typeof sortColumns; ascending: boolean }

const sortColumns = {
  username: sql`lower(username) collate "C"`,
  email: sql`lower(coalesce(email, '')) collate "C"`,
} satisfies Record<string, RawBuilder<unknown>>

/** All accounts with the role Admin. */
export const findAdmins = (
  db: DbOrTx,
  { sortField, ascending }: AdminOrder,
): Promise<AdminRow[]> => {
  const way = ascending ? 'asc' : 'desc'
  return selectAdmins(db).orderBy(sortColumns[sortField], way).orderBy('id', way).execute()
}

/** Undefined also for accounts with another role. */
export const findAdmin = (db: DbOrTx, id: number): Promise<AdminRow | undefined> =>
  selectAdmins(db).where('id', '=', id).executeTakeFirst()

/** The same with a row lock. */
export const lockAdmin = (tx: Tx, id: number): Promise<AdminRow | undefined> =>
  selectAdmins(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The admins and superadmins among these accounts. */
export const findStaff = (db: DbOrTx, ids: readonly number[]): Promise<AdminRow[]> =>
  selectStaff(db)
    .where('role', 'in', [roleNumber('admin'), roleNumber('superadmin')])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
