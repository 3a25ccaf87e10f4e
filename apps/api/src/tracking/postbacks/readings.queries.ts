import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import type { DbOrTx } from '../../db/database.ts'

/** The last postbacks of a site, newest first, with their first outcomes. */
export async function findLastOfSite(
  db: DbOrTx,
  siteId: number,
  limit: number,
): Promise<{ id: string; receivedAt: Date; outcome: PostbackOutcome; params: unknown }[]> {
  const rows = await db
    .selectFrom('postbacks')
    .select(['id', 'received_at as receivedAt', 'outcome', 'params'])
    .where('site_id', '=', siteId)
    .orderBy('received_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  // The constraint `postbacks__outcome` allows nothing else.
  return rows.map((row) => ({ ...row, outcome: row.outcome as PostbackOutcome }))
}
