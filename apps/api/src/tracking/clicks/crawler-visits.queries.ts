import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Crawler visits of one link on a New York day. */
export type CrawlerCount = {
  day: Day
  agentId: number
  typeId: number
  officeId: number
  siteId: number
  visits: number
}

const MOST_ROWS = 1_000

export async function addCrawlerVisits(db: Db, counts: readonly CrawlerCount[]): Promise<void> {
  // In a fixed order, to avoid deadlocks.
  const rows = counts
    .toSorted(
      (a, b) =>
        a.day.localeCompare(b.day) ||
        a.agentId - b.agentId ||
        a.typeId - b.typeId ||
        a.officeId - b.officeId,
    )
    .map(({ day, agentId, typeId, officeId, siteId, visits }) => ({
      day,
      agent_id: agentId,
      type_id: typeId,
      office_id: officeId,
      site_id: siteId,
      visits,
    }))
  await db.transaction().execute(async (tx) => {
    for (let start = 0; start < rows.length; start += MOST_ROWS) {
      await tx
        .insertInto('crawler_visits')
        .values(rows.slice(start, start + MOST_ROWS))
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'agent_id', 'type_id', 'office_id'])
            .doUpdateSet({ visits: sql`crawler_visits.visits + excluded.visits` }),
        )
        .execute()
    }
  })
}
