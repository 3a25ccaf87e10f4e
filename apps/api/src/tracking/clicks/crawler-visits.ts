import { dayOf } from '@tallyroom/domain/new-york'
import type { Db } from '../../db/database.ts'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { addCrawlerVisits, type CrawlerCount } from './crawler-visits.queries.ts'

export type CrawlerVisits = {
  /** Counts a visit. Returns at once. */
  add(click: Pick<Click, 'clickedAtMs' | 'agentId' | 'typeId' | 'officeId' | 'siteId'>): void
  /** Stores pending counts. */
  stop(): Promise<void>
}

const STORE_MS = 5_000

/**
 * Counts crawler visits in memory and stores them every few seconds. Nobody is paid by them, so a killed
 * process may lose the last seconds.
 */
export function startCrawlerVisits({ db, log }: { db: Db; log: Log }): CrawlerVisits {
  let counts = new Map<string, CrawlerCount>()

  function add(count: CrawlerCount): void {
    const { day, agentId, typeId, officeId } = count
    const key = `${day} ${agentId} ${typeId} ${officeId}`
    const found = counts.get(key)
    if (found) found.visits += count.visits
    else counts.set(key, count)
  }

  async function store(): Promise<void> {
    const storing = [...counts.values()]
    if (storing.length === 0) return
    counts = new Map()
    try {
      await addCrawlerVisits(db, storing)
    } catch (error) {
      for (const count of storing) add(count)
      throw error
    }
  }

  const storing = every('store visits of crawlers', STORE_MS, store, { log })
  return {
    add({ clickedAtMs, agentId, typeId, officeId, siteId }) {
      add({ day: dayOf(clickedAtMs), agentId, typeId, officeId, siteId, visits: 1 })
    },
    async stop() {
      await storing.stop()
      await store().catch((error: unknown) => log.error({ err: error }, 'crawler visits were lost'))
    },
  }
}
