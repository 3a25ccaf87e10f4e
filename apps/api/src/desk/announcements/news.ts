import type { announcementsEndpoints, News } from '@tallyroom/contract/desk/announcements'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { refuseStale, richTextToStore, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { findLastNews } from './announcements.queries.ts'

/** The news on everybody's dashboard. Empty if none was published, or if it was cleared. */
export async function lastNews({ db }: { db: DbOrTx }): Promise<News> {
  const news = await findLastNews(db)
  return {
    html: news?.html ?? '',
    createdAt: news?.created_at.toISOString() ?? null,
    version: news?.id ?? 0,
  }
}

/**
 * Publishes news as a new row; earlier news stays in the table.
 *
 * @throws CONFLICT if there is newer news than when the form was loaded.
 */
export async function publishNews(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  change: RequestOf<typeof announcementsEndpoints.publishNews>['body'],
): Promise<void> {
  // Serializable: of two concurrent saves, one is retried and then sees the other's.
  await inTransaction(
    db,
    async (tx) => {
      const last = await lastNews({ db: tx })
      refuseStale('news', last.version, change.version)
      const { html } = withChange(last, change, { fixed: ['createdAt'] })
      // Saving without a change keeps the date.
      if (html === last.html) return
      await insertRow(tx, 'news', {
        html: richTextToStore(html),
        created_at: tx.now,
        created_by: viewer.accountId,
      })
    },
    { isolation: 'serializable' },
  )
}
