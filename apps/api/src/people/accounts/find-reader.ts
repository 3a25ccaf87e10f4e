import type { Db } from '../../db/database.ts'
import { type Account, accountOf, whyClosed } from './account.ts'
import { selectAccounts } from './accounts.queries.ts'

/**
 * An account as it is now, if it may be sent figures. Undefined if it can't be used, must set a new password, or if its agent or
 * office is suspended.
 */
export async function findReader(
  db: Db,
  accountId: number,
  now: Date,
): Promise<Account | undefined> {
  const row = await selectAccounts(db)
    .leftJoin('offices', (join) =>
      join.on('offices.id', '=', (eb) => eb.fn.coalesce('accounts.office_id', 'agents.office_id')),
    )
    .select([
      'accounts.must_change_password',
      'agents.active as agent_active',
      'offices.active as office_active',
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst()
  if (!row || whyClosed(row, now) || row.must_change_password) return undefined
  if (row.agent_active === false || row.office_active === false) return undefined
  return accountOf(row)
}
