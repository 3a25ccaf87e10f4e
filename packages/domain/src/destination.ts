import type { MerchantPage } from './merchant-page.ts'
import { DEFAULT_CLICK_PARAM, SUB_NAMES, type Subs, type TrackedLink } from './tracked-link.ts'
import { encodeForbidden, encodeText } from './url-text.ts'

/** What is known about a click when its visitor is redirected. */
export type DestinationValues = TrackedLink & {
  clickId: string
  officeId: number
  subs: Subs
}

/** What a visitor's URL carries for the merchant, besides sub ids. */
export type Brought = {
  /** Leads there, in place of the link type's URL. */
  page: MerchantPage | undefined
  /** Parameters, of which as many are added as fit into `MOST_FORWARDED`. */
  others: readonly (readonly [name: string, value: string])[]
}

/** How much is added to a destination's query, in characters as they are sent. */
export const MOST_FORWARDED = 2048

/**
 * Compiles a link type's URL for its clicks. The macros {click_id} {site_id} {type_id} {agent_id}
 * {office_id} {sub1}…{sub5} are replaced, percent-encoded. If the template lacks {click_id}, the query
 * gets `clickParam={click id}`, which replaces an existing parameter of that name. Path, query and fragment
 * are otherwise unchanged, except that characters not allowed in a URL are encoded.
 *
 * What a visitor's URL carries is added to the query, under names that the template does not have. A page takes the place of
 * path and fragment, and its query stands before that of the template.
 *
 * @throws TypeError if the template is not an absolute http or https URL, or has a macro in its host name:
 * visitors must not control the host.
 */
export function compileDestination(
  template: string,
  clickParam: string = DEFAULT_CLICK_PARAM,
): (values: DestinationValues, brought?: Brought) => string {
  const parts = splitTemplate(template)
  const { origin, path, query, fragment } = parts
  const param = clickParam || DEFAULT_CLICK_PARAM
  const isWhole = CLICK_ID_MACRO.test(path + query + fragment)
  const ownQuery = isWhole ? query : withClickParam(query, param)
  const urlOf = fillMacros(origin, path + ownQuery + fragment)
  let urlWith: ReturnType<typeof compileBrought> | undefined
  return (values, brought) => {
    if (!brought) return urlOf(values)
    urlWith ??= compileBrought({ ...parts, query: ownQuery }, param)
    return urlWith(values, brought)
  }
}

/** The same for the few visits that bring something. */
function compileBrought(
  { origin, path, query, fragment }: TemplateParts,
  clickParam: string,
): (values: DestinationValues, brought: Brought) => string {
  const queryOfPage = CLICK_ID_MACRO.test(query) ? query : withClickParam(query, clickParam)
  const taken = new Set(
    [clickParam, DEFAULT_CLICK_PARAM].map(nameKey).concat(pairsOf(query).flatMap(nameKeysOf)),
  )
  const scheme = origin.slice(0, origin.indexOf('/'))
  const startOf = fillMacros(origin, path)
  const endOf = fillMacros('', fragment)
  const ownPairsOf = fillMacros('', query.slice(1))
  const pairsBesidePageOf = fillMacros('', queryOfPage.slice(1))
  return (values, { page, others }) => {
    const ofPage = pairsOf(page?.query ?? '').filter(
      (pair) => !nameKeysOf(pair).some((name) => taken.has(name)),
    )
    const namesOfPage = new Set(ofPage.flatMap(nameKeysOf))
    const isFree = (name: string) => !taken.has(name) && !namesOfPage.has(name)
    const pairs = [
      ...ofPage,
      page ? pairsBesidePageOf(values) : ownPairsOf(values),
      ...forwardedOf(others.filter(([name]) => isFree(nameKey(name)))),
    ].filter((text) => text !== '')
    const whole = pairs.length > 0 ? `?${pairs.join('&')}` : ''
    if (!page) return startOf(values) + whole + endOf(values)
    const home = page.host === undefined ? origin : `${scheme}//${page.host}`
    return home + page.path + whole + page.fragment
  }
}

/** Whole parameters, in their order, without those that no longer fit. */
function forwardedOf(others: Brought['others']): string[] {
  let room = MOST_FORWARDED
  return others.flatMap(([name, value]) => {
    const pair = `${encodeText(name)}=${encodeText(value)}`
    if (pair.length + 1 > room) return []
    room -= pair.length + 1
    return [pair]
  })
}

const pairsOf = (query: string): string[] => query.slice(1).split('&').filter(Boolean)

/** The names in a query pair: some servers begin another one at each semicolon. */
const nameKeysOf = (pair: string): string[] => [
  ...new Set([pair, ...pair.split(';')].map((part) => nameKey(nameOf(part)))),
]

/** What servers may take for the same name: in any case, with any separators, as an entry of a list. */
const nameKey = (name: string | undefined = ''): string =>
  (name.split('[', 1)[0] ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '') || name

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

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
