import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Case-insensitive, with a row lock. */
export const lockAccountByUsername = (tx: Tx, username: string) =>
  tx
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'username',
      eb('role', '=', roleNumber('superadmin')).as('isSuperadmin'),
    ])
    .where(sql`lower(username)`, '=', sql`lower(${username})`)
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function setSpecialFlag(
  tx: Tx,
  accountId: number,
  permission: 'DELETE_AGENTS' | 'DELETE_SITES',
  granted: boolean,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set(permission === 'DELETE_AGENTS' ? { delete_agents: granted } : { delete_sites: granted })
    .where('id', '=', accountId)
    .execute()
}
