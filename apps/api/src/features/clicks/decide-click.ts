import { SUB_NAMES, type Subs, type TrackedLink } from '@tallyroom/domain/tracked-link'
import { visitorOf } from '../../lib/ip-address.ts'
import type { Click, Uncounted } from './click.ts'
import type { Destination, Destinations } from './destinations.ts'
import { isCrawler } from './is-crawler.ts'
import type { VisitLimit } from './visit-limit.ts'

/** A request for a tracked link. */
export type Visit = {
  link: TrackedLink
  at: Date
  method: string
  /** Canonical. */
  ip: string
  userAgent: string | undefined
  /** The browser is prefetching: nobody has clicked yet. */
  isPrefetch: boolean
  referrer: string | undefined
  query: { readonly [name: string]: unknown }
}

export type Decision =
  | { outcome: 'unknown' | 'inactive' }
  /**
   * `keep`: what the visit leaves behind. Only a stored click gets a click id: a postback for anything else
   * would wait for a click that never arrives.
   */
  | {
      outcome: 'sent on'
      keep: 'click' | 'crawler visit' | 'nothing'
      click: Click
      destination: Destination
    }

export type Known = {
  destinations: Pick<Destinations, 'find'>
  blacklist: { has(ip: string): boolean }
  limit: VisitLimit
  nextNonce: () => number
}

/** Decides where a visitor is redirected, and whether the visit is stored and counted. Pure. */
export function decideClick(visit: Visit, known: Known): Decision {
  const { siteId, typeId, agentId } = visit.link
  const destination = known.destinations.find(visit.link)
  if (destination === 'unknown' || destination === 'inactive') return { outcome: destination }
  const keep = keepOf(visit)
  const visitor = visitorOf(visit.ip)
  return {
    outcome: 'sent on',
    keep,
    destination,
    click: {
      clickedAtMs: visit.at.getTime(),
      siteId,
      typeId,
      agentId,
      officeId: destination.officeId,
      nonce: known.nextNonce(),
      ip: visit.ip,
      visitor,
      uncounted: keep === 'click' ? uncountedOf({ ...visit, visitor }, known) : undefined,
      userAgent: visit.userAgent && cleanText(visit.userAgent, LONGEST_USER_AGENT),
      referrer: visit.referrer && cleanText(visit.referrer, LONGEST_REFERRER),
      subs: subsOf(visit.query),
    },
  }
}

function keepOf({ method, userAgent }: Visit): 'click' | 'crawler visit' | 'nothing' {
  if (method === 'HEAD') return 'nothing'
  return isCrawler(userAgent) ? 'crawler visit' : 'click'
}

function uncountedOf(
  visit: Visit & { visitor: string },
  { blacklist, limit }: Known,
): Uncounted | undefined {
  if (blacklist.has(visit.ip)) return 'blacklisted'
  if (visit.isPrefetch) return 'prefetch'
  if (visit.userAgent !== undefined && HEADLESS.test(visit.userAgent)) return 'headless'
  return limit.takes(visit) ? undefined : 'too many'
}

/** Automated browsers that identify themselves. */
const HEADLESS = /headless/i

const LONGEST_USER_AGENT = 300
const LONGEST_REFERRER = 500
const LONGEST_SUB = 100

/** The sub ids; undefined if there are none. Of duplicate parameters, the first counts. */
function subsOf(query: Visit['query']): Subs | undefined {
  let subs: Subs | undefined
  for (const name of SUB_NAMES) {
    const given = query[name]
    if (given === undefined) continue
    const first: unknown = Array.isArray(given) ? given[0] : given
    const text = typeof first === 'string' ? cleanText(first, LONGEST_SUB) : ''
    if (text) (subs ??= {})[name] = text
  }
  return subs
}

/** Removes control characters, which neither headers nor text columns may contain, and lone surrogates. */
function cleanText(text: string, longest: number): string {
  return text
    .replaceAll(/\p{Cc}+/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}
