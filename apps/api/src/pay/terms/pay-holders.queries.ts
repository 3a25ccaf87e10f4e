import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** The accounts that may pay and have a password, by name: whoever has not opened their invitation can't do anything yet. */
export async function findPayHolders(db: DbOrTx) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, username as name
    from accounts
    where not suspended and invited_at is null
      and (role = ${roleNumber('superadmin')} or (role = ${roleNumber('admin')} and pay))
    order by lower(username)
  `.execute(db)
  return rows
}
