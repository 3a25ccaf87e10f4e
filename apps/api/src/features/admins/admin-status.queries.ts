import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Holds the admins among these accounts until the transaction ends. Superadmins are none. */
export const lockAdmins = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('role', '=', roleNumber('admin'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Those that are so already stay untouched. */
export async function setStatusOfAdmins(
  tx: Tx,
  ids: readonly number[],
  change: { active: boolean } | { loginBlocked: boolean },
): Promise<void> {
  const [column, value] =
    'active' in change
      ? (['suspended', !change.active] as const)
      : (['login_blocked', change.loginBlocked] as const)
  await tx
    .updateTable('accounts')
    .set({ [column]: value, version: sql`version + 1` })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where(column, '<>', value)
    .execute()
}

/** What is left of it refers to nobody any more, or goes with it: unused sign-in links. */
export async function deleteAdminRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
}
