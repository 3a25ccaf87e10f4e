import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { deleteSiteRows } from './delete-site.queries.ts'
import { lockSite } from './site-form.queries.ts'

/**
 * Deletes a site with all of its link types, in one transaction. Its tracked links lead nowhere from then on, and
 * its merchant's postbacks are a stranger's. Clicks, sales and every total stay: they were paid for. So it takes
 * no longer with millions of clicks than with none, and holds nothing that a click or a sale waits for.
 *
 * @throws NOT_FOUND, also for one that was deleted before.
 */
export function deleteSite(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  siteId: number,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw notFound('site')
    await deleteSiteRows(tx, siteId, clock.now())
    await announceChange(tx, 'destinations')
  })
}
