import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Locks the admins among these accounts. Superadmins are not included. */
export const lockAdmins = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('accounts')
    .select(['id', 'username', 'pay'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('role', '=', roleNumber('admin'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Rows that already have the status are not touched. */
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

/** Cascades to unused sign-in links. Nothing else refers to the row by then. */
export async function deleteAdminRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
}
