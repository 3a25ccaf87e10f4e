import { randomBytes, randomInt } from 'node:crypto'
import { request } from 'node:http'
import {
  DEMO_VISITORS_MINUTES,
  type demoVisitorsEndpoints,
} from '@tallyroom/contract/operate/demo-visitors'
import type { Server } from 'node:net'
import type { ResultOf } from '@tallyroom/contract/endpoint'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { addDays, dayOf, formatClock, weekdayOf } from '@tallyroom/domain/new-york'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { conflict } from '../../errors.ts'
import { isDemoWorld } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import type { Inbound } from '../../tracking/index.ts'
import { findVisitedLinks, type VisitedLink } from './demo-visitors.queries.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'log' | 'config'> & {
  keys: Inbound['keys']
  /** The address on which this process listens; null until it does. */
  address: Server['address']
}

export type DemoVisitors = ReturnType<typeof makeDemoVisitors>

/** In an average hour of an average day. */
const visitorsAMinute = 4
/** Visitors per sale: fewer than in reality, so that figures move visibly. */
const visitorsForASale = 9
/** How long after its click a sale is reported. */
const saleAfterMs = { soonest: 15_000, latest: 75_000 }

/**
 * Made-up visitors of the demo world, so that a newcomer sees figures move. They send real requests to this server's
 * redirect and postback endpoint. They exist only in memory and end with the process.
 */
export function makeDemoVisitors(parts: Parts, { soonest, latest } = saleAfterMs) {
  const { db, clock, log, config } = parts
  let until: Date | undefined
  const timers = new Set<NodeJS.Timeout>()

  /** The only timers; all are gone once visitors stop. */
  function later(ms: number, what: () => Promise<void>) {
    const timer = setTimeout(() => {
      timers.delete(timer)
      what().catch((error: unknown) => log.warn({ err: error }, 'a demo visitor was lost'))
    }, ms).unref()
    timers.add(timer)
  }

  async function receiveVisitor() {
    const now = clock.now()
    if (!until || now >= until) return stop()
    later(waitMs(now, Math.random()), receiveVisitor)
    const today = dayOf(now)
    const links = await findVisitedLinks(db, { start: addDays(today, -14), today })
    const link = pickLink(links, Math.random())
    if (!link) return
    const clickId = await follow(link)
    if (clickId === undefined || Math.random() * visitorsForASale >= 1) return
    later(soonest + Math.random() * (latest - soonest), () => sell(link, clickId))
  }

  /** Follows the link as a browser would, but not to the merchant. */
  async function follow(link: VisitedLink): Promise<string | undefined> {
    const location = await knock(trackedLinkPath(link))
    const values = location ? [...new URL(location).searchParams.values()] : []
    return values.find((value) => decodeClickId(value) !== undefined)
  }

  /** Reports a sale as the merchant would. */
  async function sell({ siteId, useApproveSale }: VisitedLink, clickId: string) {
    const { key } = await parts.keys.provide(siteId)
    const query = new URLSearchParams({
      key,
      cid: clickId,
      tid: `DEMO-${randomBytes(4).toString('hex')}`,
      event: useApproveSale ? 'approval' : 'sale',
    })
    await knock(`/api/postback/${siteId}?${query.toString()}`)
  }

  /** @returns the address that the answer redirects to. */
  function knock(path: string): Promise<string | undefined> {
    const address = parts.address()
    if (address === null || typeof address === 'string') return Promise.resolve(undefined)
    const { port } = address
    return new Promise((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path, localAddress: someAddress(), headers: browser },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.headers.location))
        },
      )
        .on('error', reject)
        .end()
    })
  }

  function stop() {
    until = undefined
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  /** @throws CONFLICT unless this is the demo world, served by one process. */
  async function letIn() {
    if (!(await isDemoWorld(db)))
      throw conflict('This is not the demo network: made-up visitors would distort its figures.')
    if (config.webConcurrency > 1)
      throw conflict('Made-up visitors need a single server process: set WEB_CONCURRENCY=1.')
    stop()
    until = new Date(clock.now().getTime() + DEMO_VISITORS_MINUTES * 60_000)
    later(0, receiveVisitor)
  }

  return {
    letIn,
    stop,

    /** With `DEMO_TRAFFIC=on`, starts visitors with the server. */
    async start() {
      if (config.demoTraffic === 'off') return
      try {
        await letIn()
      } catch (error) {
        log.warn({ err: error }, 'DEMO_TRAFFIC=on has no effect')
      }
    },

    async state(): Promise<ResultOf<(typeof demoVisitorsEndpoints)['demoVisitors']>> {
      const isComing = until !== undefined && clock.now() < until
      return { isDemo: await isDemoWorld(db), until: isComing ? until!.toISOString() : null }
    },
  }
}

/** How long until the next visitor: a Poisson process whose rate follows hour and weekday. `chance`: 0 to 1. */
export function waitMs(now: Date, chance: number): number {
  const hour = Number(formatClock(now).slice(11, 13))
  const share = ((hours[hour] ?? 1) * (weekdays[weekdayOf(dayOf(now)) - 1] ?? 1)) / averageHour
  return (-Math.log(1 - chance) * 60_000) / (visitorsAMinute * share)
}

/** Busy evenings and weekends, quiet mornings, as in the demo world's history. */
const hours = [6, 5, 4, 3, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 6, 6, 7, 7, 7]
const averageHour = hours.reduce((sum, share) => sum + share, 0) / hours.length
const weekdays = [0.94, 0.9, 0.92, 0.98, 1.1, 1.22, 1.14]

/** Links that were followed more often are followed more often. `chance`: 0 to 1. */
export function pickLink(links: readonly VisitedLink[], chance: number): VisitedLink | undefined {
  let left = chance * links.reduce((sum, { uniques }) => sum + uniques, 0)
  return links.find(({ uniques }) => (left -= uniques) < 0)
}

/** On Linux every address of 127.0.0.0/8 is this machine, so each visitor can have one. */
const someAddress = () =>
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
    : undefined

const browser = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
}
