import { join } from 'node:path'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Layout } from '../../db/citus/layout.ts'
import type { Connection } from '../../db/connection.ts'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { type Blacklist } from '../ip-blacklist/index.ts'
import { startRecorder } from './click-batch.ts'
import { type ClickIds, startNonces } from './click-id-signer.ts'
import { openSpool } from './click-spool.ts'
import { keepDestinations } from './destinations.ts'
import { startCrawlerVisits } from './crawler-visits.ts'
import { decideClick, type Visit } from './decide-click.ts'
import { startVisitLimit } from './visit-limit.ts'

/** The parts of the redirect. */
export type Clicks = {
  /** False until links and black list have been loaded for the first time, and clicks can be stored at once. */
  isReady(): boolean
  /**
   * The destination of a visitor, once the click is stored. Rejects if neither the database nor the disk can
   * store it.
   */
  follow(visit: Omit<Visit, 'at'>): Promise<'unknown' | 'inactive' | { url: string }>
  /** Stores pending clicks. Stop accepting requests first. */
  stop(): Promise<void>
}

export function startClicks(services: {
  connection: Connection
  layout: Layout
  db: Db
  changes: ChangeWatch
  blacklist: Blacklist
  clickIds: ClickIds
  /** Contains the spool. */
  dataDir: string
  /** Maximum clicks of one subscriber on one link that count per minute; 0 for no limit. */
  clicksAMinute: number
  clock: Clock
  log: Log
}): Clicks {
  const { connection, layout, db, changes, blacklist, clickIds, dataDir, clock, log } = services
  const limit = startVisitLimit(services.clicksAMinute)
  const nextNonce = startNonces()
  const destinations = keepDestinations(db, changes, log)
  const spool = openSpool(join(dataDir, 'spool'))
  const recorder = startRecorder({ connection, layout, spool, nextNonce, clock, log })
  const crawlers = startCrawlerVisits({ db, log })
  const known = { destinations, blacklist, limit, nextNonce }
  return {
    isReady: () => destinations.isLoaded() && blacklist.isLoaded() && recorder.isReady(),
    async follow(visit) {
      const decision = decideClick({ ...visit, at: clock.now() }, known)
      if (decision.outcome !== 'sent on') return decision.outcome
      const { destination, keep } = decision
      if (keep === 'crawler visit') crawlers.add(decision.click)
      const click = keep === 'click' ? await recorder.record(decision.click) : decision.click
      const { siteId, typeId, agentId, officeId, subs = {} } = click
      const clickId = keep === 'click' ? clickIds.sign(click) : undefined
      return { url: destination.urlOf({ clickId, siteId, typeId, agentId, officeId, subs }) }
    },
    async stop() {
      await Promise.all([recorder.stop(), crawlers.stop()])
    },
  }
}
