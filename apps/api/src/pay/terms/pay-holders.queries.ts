import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** The accounts that may pay, by name. */
export async function findPayHolders(db: DbOrTx) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, username as name
    from accounts
    where not suspended
      and (role = ${roleNumber('superadmin')} or (role = ${roleNumber('admin')} and pay))
    order by lower(username)
  `.execute(db)
  return rows
}
