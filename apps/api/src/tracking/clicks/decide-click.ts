import type { Brought } from '@tallyroom/domain/destination'
import { pageOf } from '@tallyroom/domain/merchant-page'
import {
  LONGEST_SUB,
  PAGE_PARAM,
  SUB_NAMES,
  type Subs,
  TEST_PARAM,
  type TrackedLink,
} from '@tallyroom/domain/tracked-link'
import { visitorOf } from '../../lib/net/ip-address.ts'
import type { Click, ClickNote, Uncounted } from './click.ts'
import type { Destinations, Target } from '../destinations/destinations.ts'
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
  /** An app shows a preview, or an older browser prefetches: nobody has clicked yet. */
  isPreview: boolean
  referrer: string | undefined
  query: { readonly [name: string]: unknown }
}

export type Decision =
  | { outcome: 'unknown' | 'inactive' }
  | {
      outcome: 'sent on'
      /**
       * What the visit leaves behind. Judging a visit decides whether it is counted, never whether a sale of it finds its
       * agent: everybody gets a click id.
       */
      keep: 'click' | 'crawler visit' | 'nothing'
      click: Click
      /** For the merchant, never cut. */
      subs: Subs
      target: Target
      /** What else goes to the merchant: nothing with most clicks. */
      brought: Brought | undefined
    }

export type Known = {
  destinations: Pick<Destinations, 'find'>
  blacklist: { has(ip: string): boolean }
  limit: VisitLimit
  nextNonce: () => number
  /** For clicks that are not stored. */
  nextUnstoredNonce: () => number
}

/** Decides where a visitor is redirected, and whether the visit is stored and counted. Pure. */
export function decideClick(visit: Visit, known: Known): Decision {
  const destination = known.destinations.find(visit.link)
  if (destination === 'unknown' || destination === 'inactive') return { outcome: destination }
  const { target, instead } = destination
  const { agentId } = visit.link
  const { siteId, typeId } = instead ?? visit.link
  const keep = keepOf(visit, known)
  const brought = broughtBy(visit.query, target, instead !== undefined)
  const subs = subsOf(visit.query)
  const visitor = visitorOf(visit.ip)
  return {
    outcome: 'sent on',
    keep,
    subs: subs ?? NO_SUBS,
    target,
    brought,
    click: {
      clickedAtMs: visit.at.getTime(),
      siteId,
      typeId,
      agentId,
      officeId: destination.officeId,
      nonce: keep === 'click' ? known.nextNonce() : known.nextUnstoredNonce(),
      ip: visit.ip,
      visitor,
      uncounted: keep === 'click' ? uncountedOf({ ...visit, visitor }, known) : undefined,
      userAgent: visit.userAgent && cleanText(visit.userAgent, LONGEST_USER_AGENT),
      referrer: visit.referrer && cleanText(visit.referrer, LONGEST_REFERRER),
      subs: subs && storedSubs(subs),
      note: noteOf(visit, instead !== undefined, brought),
    },
  }
}

/** A crawler on the black list is stored like anybody on it: a sale of it is marked as fraud, whatever it calls itself. */
function keepOf(
  { method, userAgent, ip }: Visit,
  { blacklist }: Known,
): 'click' | 'crawler visit' | 'nothing' {
  if (method === 'HEAD') return 'nothing'
  return isCrawler(userAgent) && !blacklist.has(ip) ? 'crawler visit' : 'click'
}

function uncountedOf(
  visit: Visit & { visitor: string },
  { blacklist, limit }: Known,
): Uncounted | undefined {
  if (blacklist.has(visit.ip)) return 'blacklisted'
  if (visit.isPreview) return 'prefetch'
  if (visit.userAgent !== undefined && HEADLESS.test(visit.userAgent)) return 'headless'
  return limit.takes(visit) ? undefined : 'too many'
}

/** Automated browsers that identify themselves. */
const HEADLESS = /headless/i

const LONGEST_USER_AGENT = 300
/** In characters. */
export const LONGEST_REFERRER = 500
const NO_SUBS: Subs = {}

/** The sub ids; undefined if there are none. */
function subsOf(query: Visit['query']): Subs | undefined {
  let subs: Subs | undefined
  for (const name of SUB_NAMES) {
    const given = query[name]
    if (given === undefined) continue
    const text = cleanText(firstOf(given))
    if (text) (subs ??= {})[name] = text
  }
  return subs
}

/**
 * What a visitor's URL carries for the merchant besides sub ids; undefined if it is nothing. A page is one of the merchant whom
 * the link was for.
 */
function broughtBy(
  query: Visit['query'],
  { forwards, hosts }: Target,
  isInstead: boolean,
): Brought | undefined {
  const named = isInstead ? undefined : query[PAGE_PARAM]
  const page = isGiven(named) ? pageOf(firstOf(named), hosts) : undefined
  const others = forwards ? othersIn(query) : NO_OTHERS
  return page || others.length > 0 ? { page, others } : undefined
}

function noteOf(
  { link, query }: Visit,
  isInstead: boolean,
  brought: Brought | undefined,
): ClickNote | undefined {
  if (isInstead) return `instead of ${link.siteId}/${link.typeId}`
  return isGiven(query[PAGE_PARAM]) && !brought?.page ? 'page elsewhere' : undefined
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== ''

/** Of duplicate parameters, the first counts. */
export function firstOf(given: unknown): string {
  const first: unknown = Array.isArray(given) ? given[0] : given
  return typeof first === 'string' ? first : ''
}

/** The parameters that are none of ours, each as often as it is there. */
export const othersIn = (query: Visit['query']): Brought['others'] =>
  Object.keys(query).flatMap((name) => {
    const sent = OURS.has(name) ? '' : cleanText(name)
    if (sent === '') return []
    return [query[name]].flat().map((value) => [sent, cleanText(String(value))] as const)
  })

const OURS: ReadonlySet<string> = new Set([...SUB_NAMES, PAGE_PARAM, TEST_PARAM])
const NO_OTHERS: Brought['others'] = []

/** The sub ids as they are stored: the merchant may get more. */
function storedSubs(subs: Subs): Subs {
  if (SUB_NAMES.every((name) => (subs[name]?.length ?? 0) <= LONGEST_SUB)) return subs
  return Object.fromEntries(
    Object.entries(subs).map(([name, text]) => [name, text && cut(text, LONGEST_SUB)]),
  )
}

/** Removes control characters, which neither headers nor text columns may contain, and lone surrogates. */
export const cleanText = (text: string, longest = Infinity): string =>
  cut(
    text
      .replaceAll(/\p{Cc}+/gu, '')
      .trim()
      .toWellFormed(),
    longest,
  )

/** The beginning of a text, never ending within a character. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const beginning = text.slice(0, longest)
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1)
}
