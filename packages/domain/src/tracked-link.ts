import { encodeText } from './url-text.ts'

/** The ids in a tracked link, each from 1 to `MAX_ID`. */
export type TrackedLink = { siteId: number; typeId: number; agentId: number }

/** Sub ids: the agent's own labels on a link, passed on to the merchant and stored with the click. */
export type Subs = { [Name in SubName]?: string | undefined }

export type SubName = (typeof SUB_NAMES)[number]

export const SUB_NAMES = ['sub1', 'sub2', 'sub3', 'sub4', 'sub5'] as const

/** The parameter with which a link names a page of the merchant: see `pageOf`. */
export const PAGE_PARAM = 'to'

/** The parameter with the mark of a link that somebody tries out. */
export const TEST_PARAM = 'tly_test'

/** The longest sub id that is stored with a click, in UTF-16 code units. Ad networks' click ids have 300. */
export const LONGEST_SUB = 500

/** The highest possible id: identity columns are 32-bit integers. */
export const MAX_ID = 2 ** 31 - 1

/** `/api/links/go/{siteId}/{typeId}/{agentId}` */
export const trackedLinkPath = ({ siteId, typeId, agentId }: TrackedLink): string =>
  `/api/links/go/${siteId}/${typeId}/${agentId}`

/**
 * The complete link. `origin` is the office's preferred domain, such as `https://go.example.com`.
 *
 * @param page the merchant's page that it leads to, as `pageText` writes it; default: its link type's URL
 */
export function buildTrackedLink(
  origin: string,
  link: TrackedLink,
  subs: Subs = {},
  page?: string,
): string {
  const query = [
    ...SUB_NAMES.map((name) => [name, subs[name]] as const),
    [PAGE_PARAM, page] as const,
  ]
    .flatMap(([name, text]) => (text ? [`${name}=${encodeText(text)}`] : []))
    .join('&')
  return origin.replace(/(?<!\/)\/+$/, '') + trackedLinkPath(link) + (query && `?${query}`)
}

/**
 * The first tracked link in a text, with any host name or none, however damaged: see `findTrackedLink`. Undefined
 * if there is none, or if one of its ids is not from 1 to `MAX_ID`.
 */
export function parseTrackedLink(text: string): (TrackedLink & { subs: Subs }) | undefined {
  const found = findTrackedLink(text)
  if (!found) return undefined
  const { query, ...link } = found
  return { ...link, subs: subsOf(new URLSearchParams(query)) }
}

/**
 * The ids and the query of the first tracked link in a text. Chat programs, content management and hands damage links:
 * a slash, punctuation, a blank or an invisible character at the end, `&` or `&amp;` instead of `?`, doubled slashes, other
 * case. Three numbers behind `links/go` are enough, since nothing else can be meant.
 */
export function findTrackedLink(text: string): (TrackedLink & { query: string }) | undefined {
  const [, site = '', type = '', agent = '', start = '', query = ''] = LINK.exec(text) ?? []
  const [siteId, typeId, agentId] = [parseId(site), parseId(type), parseId(agent)]
  if (!siteId || !typeId || !agentId) return undefined
  return { siteId, typeId, agentId, query: mendQuery(start === '%3F' ? decode(query) : query) }
}

/** Blanks and characters that nobody sees, as they are or percent-encoded. */
const UNSEEN =
  '[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]|%(?:20|09|0[AD]|C2%A[0D]|E2%80%8[B-F]|E2%81%A0|EF%BB%BF)'
const SLASH = '[/\\\\]|%2F|%5C'
/** One slash or more, with anything unseen around them. */
const SLASHES = `(?:${UNSEEN})*(?:${SLASH})(?:${UNSEEN}|${SLASH})*`

const LINK = new RegExp(
  `(?<![\\w-])api${SLASHES}links${SLASHES}go${SLASHES}` +
    `(\\d{1,10})${SLASHES}(\\d{1,10})${SLASHES}(\\d{1,10})(?!\\d)` +
    // What is left behind, then what begins a query.
    `(?:(?!%3F)[^?&\\s#"'<>])*(?:(\\?|&#0*38;|&|%3F)((?:&#0*38;|[^\\s#"'<>])*))?`,
  'i',
)

/** A query whose `&` were escaped for HTML. */
export const mendQuery = (query: string): string =>
  query.replace(/^(?:amp|#0*38);/i, '').replaceAll(/&(?:amp|#0*38);/gi, '&')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses an id from a path segment: decimal digits without sign or leading zeros, from 1 to `MAX_ID`. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Infinity
  return id <= MAX_ID ? id : undefined
}

function subsOf(query: URLSearchParams): Subs {
  const subs: Subs = {}
  for (const name of SUB_NAMES) {
    const value = query.get(name)
    if (value) subs[name] = value
  }
  return subs
}

export const DEFAULT_CLICK_PARAM = 'click_id'

/** The normalized name of a postback parameter: the same for `OrderID`, `orderId`, `order_id` and `order-id`. */
export const parameterKey = (name: string): string =>
  name.toLowerCase().replaceAll(SEPARATORS, '') || name

const SEPARATORS = /[_-]/g
