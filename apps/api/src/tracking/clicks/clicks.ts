import { join } from 'node:path'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Connection } from '../../db/connection.ts'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Blacklist } from '../../people/index.ts'
import { startRecorder } from './click-batch.ts'
import { type ClickIds, startNonces, startUnstoredNonces } from './click-id-signer.ts'
import type { ClickStore } from './click-store.ts'
import { openSpool } from './click-spool.ts'
import { keepDestinations } from '../destinations/destinations.ts'
import { startCrawlerVisits } from './crawler-visits.ts'
import type { KeptLinks } from '../destinations/kept-links.ts'
import { decideClick, type Visit } from './decide-click.ts'
import { startVisitLimit } from './visit-limit.ts'

/** The parts of the redirect. */
export type Clicks = {
  /** False until links and black list have been loaded for the first time, and clicks can be stored at once. */
  isReady(): boolean
  /**
   * The destination of a visitor, once the click is stored. `not yet`: only the database can say what the link is, and is not
   * reachable yet. Rejects if neither the database nor the disk can store the click.
   */
  follow(visit: Omit<Visit, 'at'>): Promise<'unknown' | 'inactive' | 'not yet' | { url: string }>
  /** Stores pending clicks. Stop accepting requests first. */
  stop(): Promise<void>
}

export function startClicks(services: {
  connection: Connection
  clickStore: ClickStore
  db: Db
  changes: ChangeWatch
  blacklist: Blacklist
  clickIds: ClickIds
  kept: Pick<KeptLinks, 'keep'>
  /** Contains the spool. */
  dataDir: string
  /** Maximum clicks of one subscriber on one link that count per minute; 0 for no limit. */
  clicksAMinute: number
  clock: Clock
  log: Log
}): Clicks {
  const { connection, clickStore, db, changes, blacklist, clickIds, kept, dataDir, clock, log } =
    services
  const limit = startVisitLimit(services.clicksAMinute)
  const nextNonce = startNonces()
  const destinations = keepDestinations(db, changes, {
    log,
    onLoad: (facts) => kept.keep({ facts }),
  })
  const spool = openSpool(join(dataDir, 'spool'))
  const recorder = startRecorder({ connection, clickStore, spool, nextNonce, clock, log })
  const crawlers = startCrawlerVisits({ db, log })
  const known = {
    destinations,
    blacklist,
    limit,
    nextNonce,
    nextUnstoredNonce: startUnstoredNonces(),
  }
  return {
    isReady: () => destinations.isLoaded() && blacklist.isLoaded() && recorder.isReady(),
    async follow(visit) {
      const decision = decideClick({ ...visit, at: clock.now() }, known)
      if (decision.outcome !== 'sent on') return decision.outcome
      const { destination, keep, subs } = decision
      if (keep === 'crawler visit') crawlers.add(decision.click)
      const click = keep === 'click' ? await recorder.record(decision.click) : decision.click
      const { siteId, typeId, agentId, officeId } = click
      const clickId = clickIds.sign(click)
      return { url: destination.urlOf({ clickId, siteId, typeId, agentId, officeId, subs }) }
    },
    async stop() {
      await Promise.all([recorder.stop(), crawlers.stop()])
    },
  }
}
