/** The ids in a tracked link, each from 1 to `MAX_ID`. */
export type TrackedLink = { siteId: number; typeId: number; agentId: number }

/** Sub ids: the agent's own labels on a link, passed on to the merchant and stored with the click. */
export type Subs = { [Name in SubName]?: string | undefined }

export type SubName = (typeof SUB_NAMES)[number]

export const SUB_NAMES = ['sub1', 'sub2', 'sub3', 'sub4', 'sub5'] as const

/** The longest sub id that is stored with a click, in UTF-16 code units. Ad networks' click ids have 300. */
export const LONGEST_SUB = 500

/** The highest possible id: identity columns are 32-bit integers. */
export const MAX_ID = 2 ** 31 - 1

/** `/api/links/go/{siteId}/{typeId}/{agentId}` */
export const trackedLinkPath = ({ siteId, typeId, agentId }: TrackedLink): string =>
  `/api/links/go/${siteId}/${typeId}/${agentId}`

/** The complete link. `origin` is the office's preferred domain, such as `https://go.example.com`. */
export function buildTrackedLink(origin: string, link: TrackedLink, subs: Subs = {}): string {
  const query = SUB_NAMES.flatMap((name) =>
    subs[name] ? [`${name}=${encodeText(subs[name])}`] : [],
  ).join('&')
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
const mendQuery = (query: string): string =>
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

/** What is known about a click when its visitor is redirected. */
export type DestinationValues = TrackedLink & {
  clickId: string
  officeId: number
  subs: Subs
}

export const DEFAULT_CLICK_PARAM = 'click_id'

/** The normalized name of a postback parameter: the same for `OrderID`, `orderId`, `order_id` and `order-id`. */
export const parameterKey = (name: string): string =>
  name.toLowerCase().replaceAll(SEPARATORS, '') || name

const SEPARATORS = /[_-]/g

/**
 * Compiles a link type's URL for its clicks. The macros {click_id} {site_id} {type_id} {agent_id}
 * {office_id} {sub1}…{sub5} are replaced, percent-encoded. If the template lacks {click_id}, the query
 * gets `clickParam={click id}`, which replaces an existing parameter of that name. Path, query and fragment
 * are otherwise unchanged, except that characters not allowed in a URL are encoded.
 *
 * @throws TypeError if the template is not an absolute http or https URL, or has a macro in its host name:
 * visitors must not control the host.
 */
export function compileDestination(
  template: string,
  clickParam: string = DEFAULT_CLICK_PARAM,
): (values: DestinationValues) => string {
  const { origin, path, query, fragment } = splitTemplate(template)
  const whole = CLICK_ID_MACRO.test(path + query + fragment)
    ? path + query + fragment
    : path + withClickParam(query, clickParam || DEFAULT_CLICK_PARAM) + fragment
  return fillMacros(origin, whole)
}

function fillMacros(origin: string, text: string): (values: DestinationValues) => string {
  // The pattern has a group, so texts and macro names alternate.
  const [first = '', ...rest] = text.split(MACRO)
  const start = origin + first
  return (values) => {
    let url = start
    for (let index = 0; index < rest.length; index += 2) {
      url += valueOf(rest[index], values) + rest[index + 1]
    }
    return url
  }
}

/** Whether `compileDestination` accepts the template. */
export function isDestination(template: string): boolean {
  try {
    splitTemplate(template)
    return true
  } catch {
    return false
  }
}

/** Braces may be percent-encoded: browsers copy them that way from the address bar. */
const macroPattern = (names: string) => new RegExp(`(?:\\{|%7[Bb])(${names})(?:\\}|%7[Dd])`)

const MACRO = macroPattern(`click_id|site_id|type_id|agent_id|office_id|${SUB_NAMES.join('|')}`)

const CLICK_ID_MACRO = macroPattern('click_id')

function valueOf(macro: string | undefined, values: DestinationValues): string {
  switch (macro) {
    case 'click_id':
      return values.clickId
    case 'site_id':
      return String(values.siteId)
    case 'type_id':
      return String(values.typeId)
    case 'agent_id':
      return String(values.agentId)
    case 'office_id':
      return String(values.officeId)
    case 'sub1':
    case 'sub2':
    case 'sub3':
    case 'sub4':
    case 'sub5':
      return encodeText(values.subs[macro] ?? '')
    default:
      return ''
  }
}

/** The parts of the template; `query` and `fragment` include their `?` and `#`. */
type TemplateParts = { origin: string; path: string; query: string; fragment: string }

function splitTemplate(template: string): TemplateParts {
  const [, origin = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/[^\s/?#\\{}]+)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/is.exec(template.trim()) ?? []
  if (!URL.canParse(origin) || MACRO.test(origin)) {
    throw new TypeError(`Not an absolute http or https URL: ${JSON.stringify(template)}`)
  }
  return {
    // The URL parser converts a host name such as пример.рф to ASCII, which a header needs.
    origin: isAscii(origin) ? origin : new URL(origin).origin,
    path: encodeForbidden(path),
    query: encodeForbidden(query),
    fragment: encodeForbidden(fragment),
  }
}

function withClickParam(query: string, clickParam: string): string {
  const pair = `${encodeText(clickParam)}={click_id}`
  if (query === '' || query === '?') return `?${pair}`
  const pairs = query.slice(1).split('&')
  const place = pairs.findIndex((other) => nameOf(other) === clickParam)
  if (place === -1) return `${query}${query.endsWith('&') ? '' : '&'}${pair}`
  // Duplicates are dropped: the merchant may read the last one instead of the first.
  const kept = pairs.filter((other, index) => index === place || nameOf(other) !== clickParam)
  kept[place] = pair
  return `?${kept.join('&')}`
}

/** The name of a query pair, parsed as a merchant's server parses it. */
const nameOf = (pair: string): string | undefined => [...new URLSearchParams(`?${pair}`).keys()][0]

/** Percent-encodes white space, control and non-ASCII characters, which a header must not contain. */
const encodeForbidden = (text: string): string => text.replace(/[^\x21-\x7e]+/g, encodeText)

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

/**
 * encodeURIComponent with two changes: a lone surrogate becomes U+FFFD instead of throwing, and the single
 * quote is encoded so that it can't end a quoted attribute.
 */
const encodeText = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
