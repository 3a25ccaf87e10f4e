import { SUB_NAMES, type Subs, type TrackedLink } from '@tallyroom/domain/tracked-link'
import type { Click } from './click.ts'
import type { Destination, Destinations } from './destinations.ts'
import { isCrawler } from './is-crawler.ts'

/** A request of a tracked link. */
export type Visit = {
  link: TrackedLink
  at: Date
  method: string
  /** Canonical. */
  ip: string
  userAgent: string | undefined
  referrer: string | undefined
  query: { readonly [name: string]: unknown }
}

export type Decision =
  | { outcome: 'unknown' | 'inactive' }
  /** `keep`: it is a click, rather than a crawler's visit or a question for the address alone. */
  | { outcome: 'sent on'; keep: boolean; click: Click; destination: Destination }

export type Known = {
  destinations: Pick<Destinations, 'find'>
  blacklist: { has(ip: string): boolean }
  nextNonce: () => number
}

/** What becomes of a visit: where its visitor is sent, and whether it is kept and counted. */
export function recordClick(visit: Visit, { destinations, blacklist, nextNonce }: Known): Decision {
  const { siteId, typeId, agentId } = visit.link
  const destination = destinations.find(visit.link)
  if (destination === 'unknown' || destination === 'inactive') return { outcome: destination }
  return {
    outcome: 'sent on',
    keep: visit.method !== 'HEAD' && !isCrawler(visit.userAgent),
    destination,
    click: {
      clickedAtMs: visit.at.getTime(),
      siteId,
      typeId,
      agentId,
      officeId: destination.officeId,
      nonce: nextNonce(),
      ip: visit.ip,
      counted: !blacklist.has(visit.ip),
      referrer: visit.referrer && cleanText(visit.referrer, LONGEST_REFERRER),
      subs: subsOf(visit.query),
    },
  }
}

const LONGEST_REFERRER = 500
const LONGEST_SUB = 100

/** The agent's marks; undefined when there are none. Of a name that comes twice, the first counts. */
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

/** Without control characters, which no header and no text column may hold, and without half characters. */
function cleanText(text: string, longest: number): string {
  return text
    .replaceAll(/\p{Cc}+/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}
