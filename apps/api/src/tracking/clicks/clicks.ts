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
import { keepShortLinks, type ShortLinks } from '../destinations/short-links.ts'
import { startCrawlerVisits } from './crawler-visits.ts'
import type { KeptLinks } from '../destinations/kept-links.ts'
import { decideClick, type Known, type Visit } from './decide-click.ts'
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
  /** What the name of a short link stands for. */
  findShort: ShortLinks['find']
  /** Stores pending clicks. Stop accepting requests first. */
  stop(): Promise<void>
}

/** Visits of links that somebody tries out, which are no clicks. */
export type TestVisits = {
  /** The test that a visit belongs to; undefined of nearly all. */
  idOf(visit: Pick<Visit, 'link' | 'at' | 'query'>): string | undefined
  follow(testId: string, visit: Visit, known: Known): ReturnType<Clicks['follow']>
}

export function startClicks(services: {
  connection: Connection
  clickStore: ClickStore
  db: Db
  changes: ChangeWatch
  blacklist: Blacklist
  clickIds: ClickIds
  tests: TestVisits
  kept: Pick<KeptLinks, 'keep'>
  /** Contains the spool. */
  dataDir: string
  /** Maximum clicks of one subscriber on one link that count per minute; 0 for no limit. */
  clicksAMinute: number
  clock: Clock
  log: Log
}): Clicks {
  const {
    connection,
    clickStore,
    db,
    changes,
    blacklist,
    clickIds,
    tests,
    kept,
    dataDir,
    clock,
    log,
  } = services
  const limit = startVisitLimit(services.clicksAMinute)
  const nextNonce = startNonces()
  const destinations = keepDestinations(db, changes, {
    log,
    onLoad: (facts) => kept.keep({ facts }),
  })
  const shortLinks = keepShortLinks(db, changes, (facts) => kept.keep({ shortLinks: facts }))
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
      const now = { ...visit, at: clock.now() }
      const testId = tests.idOf(now)
      if (testId !== undefined) return tests.follow(testId, now, known)
      const decision = decideClick(now, known)
      if (decision.outcome !== 'sent on') return decision.outcome
      const { target, brought, keep, subs } = decision
      if (keep === 'crawler visit') crawlers.add(decision.click)
      const click = keep === 'click' ? await recorder.record(decision.click) : decision.click
      const { siteId, typeId, agentId, officeId } = click
      const clickId = clickIds.sign(click)
      const values = { clickId, siteId, typeId, agentId, officeId, subs }
      return { url: target.urlOf(values, brought) }
    },
    findShort: shortLinks.find,
    async stop() {
      await Promise.all([recorder.stop(), crawlers.stop()])
    },
  }
}
