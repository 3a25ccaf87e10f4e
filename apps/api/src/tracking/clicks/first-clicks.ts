import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import { blacklistOf } from '../../people/index.ts'
import { type ClickIds, startNonces, startUnstoredNonces } from './click-id-signer.ts'
import { openSpool } from './click-spool.ts'
import type { Clicks, TestVisits } from './clicks.ts'
import { decideClick } from './decide-click.ts'
import { buildDestinations } from '../destinations/destinations.ts'
import { readKeptLinks } from '../destinations/kept-links.ts'
import { shortLinksOf } from '../destinations/short-links.ts'
import { startVisitLimit } from './visit-limit.ts'

/**
 * Redirects without a database: links as an earlier process kept them, and every click into the spool, from which it is
 * stored later. Crawlers are not counted meanwhile.
 */
export async function startClicksFromDisk(services: {
  clickIds: ClickIds
  tests: Pick<TestVisits, 'idOf'>
  dataDir: string
  clicksAMinute: number
  clock: Clock
  log: Log
}): Promise<Clicks> {
  const { clickIds, tests, dataDir, clock, log } = services
  const kept = await readKeptLinks(dataDir)
  const spool = openSpool(join(dataDir, 'spool'))
  const known = kept && {
    destinations: { find: buildDestinations(kept.facts, log) },
    blacklist: await blacklistOf(kept.blacklist),
    limit: startVisitLimit(services.clicksAMinute),
    nextNonce: startNonces(),
    nextUnstoredNonce: startUnstoredNonces(),
  }
  let isStopped = false
  return {
    isReady: () => kept?.isFresh(clock.now().getTime()) === true,
    async follow(visit) {
      if (!known) return 'not yet'
      const now = { ...visit, at: clock.now() }
      // A test is shown by the database.
      if (tests.idOf(now) !== undefined) return 'not yet'
      const decision = decideClick(now, known)
      // The link may have been made, or switched on, in the moments before the end of the earlier process.
      if (decision.outcome !== 'sent on') return 'not yet'
      const { target, brought, keep, click, subs } = decision
      if (keep === 'click') {
        await spool.append(click)
        // A late one: nobody else releases the file.
        if (isStopped) await spool.release()
      }
      const { siteId, typeId, agentId, officeId } = click
      const clickId = clickIds.sign(click)
      const values = { clickId, siteId, typeId, agentId, officeId, subs }
      return { url: target.urlOf(values, brought) }
    },
    findShort: shortLinksOf(kept?.shortLinks ?? []).find,
    async stop() {
      isStopped = true
      await spool.release()
    },
  }
}
