import type { announcementsEndpoints, News } from '@tallyroom/contract/announcements'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { refuseStale, richTextToStore, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { findLastNews, insertNews } from './announcements.queries.ts'

/** What everybody reads on the dashboard; empty before the first news and after they were emptied. */
export async function lastNews({ db }: { db: DbOrTx }): Promise<News> {
  const news = await findLastNews(db)
  return {
    html: news?.html ?? '',
    createdAt: news?.created_at.toISOString() ?? null,
    version: news?.id ?? 0,
  }
}

/**
 * News are added, never changed: the last ones are read, those before stay in the table.
 *
 * @throws CONFLICT when there are newer ones than the form was filled with.
 */
export async function publishNews(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  change: RequestOf<typeof announcementsEndpoints.publishNews>['body'],
): Promise<void> {
  // Serializable: of two that saw the same last news, one comes again and sees the other's.
  await inTransaction(
    db,
    async (tx) => {
      const last = await lastNews({ db: tx })
      refuseStale('news', last.version, change.version)
      const { html } = withChange(last, change, { fixed: ['createdAt'] })
      // Saved as they were read: they keep their day.
      if (html === last.html) return
      await insertNews(tx, {
        html: richTextToStore(html),
        created_at: clock.now(),
        created_by: viewer.accountId,
      })
    },
    { isolation: 'serializable' },
  )
}
