import { type EventType, type SaleNaming, type ToldEvent, toldEventOf } from './event-types.ts'
import { macrosOf } from './macro-notations.ts'
import { parameterKey, SUB_NAMES } from './tracked-link.ts'
import { parseWebAddress } from './web-origin.ts'

/*
 * A postback to a partner is a URL with macros, asked when something is recorded that the partner wants to hear of.
 */

/** What a partner can hear of. `sale.adjusted`: a part of a sale was taken back. */
export const NOTICE_KINDS = [
  'sale.recorded',
  'approval.recorded',
  'bonus.recorded',
  'sale.reversed',
  'sale.adjusted',
] as const satisfies readonly (`${ToldEvent}.recorded` | `sale.${'reversed' | 'adjusted'}`)[]
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** What partners hear of an event that is recorded or counts again; undefined for one that does not count. */
export function noticeOfRecorded(type: EventType, site: SaleNaming): NoticeKind | undefined {
  const told = toldEventOf(type, site)
  return told === null ? undefined : `${told}.recorded`
}

/** The macros of a partner's URL, in the order of the documentation. */
export const POSTBACK_MACROS = [
  'click_id',
  ...SUB_NAMES,
  'event',
  'event_id',
  'status',
  'payout',
  'currency',
  'site_id',
  'site',
  'type_id',
  'type',
  'agent_id',
  'agent',
  'transaction_id',
  'time',
  'time_unix',
  'token',
] as const
export type PostbackMacro = (typeof POSTBACK_MACROS)[number]

/** The value of each macro. One without a value, undefined, becomes empty. Whoever fills macros must name every one. */
export type MacroValues = Record<PostbackMacro, string | number | undefined>

/** The first problem of a partner's URL, to follow the word *URL*; undefined if there is none. */
export function postbackUrlProblem(template: string): string | undefined {
  const url = parseWebAddress(template)
  if (!url) {
    return 'must be an http or https address, such as https://tracker.example/postback?cid={sub1}'
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  if (/[{}]/.test(url.host)) return 'must not have a macro in its host name'
  return macroProblem(foreignIn(template))
}

/** What reads as a macro in a URL and is none of ours, once each: unknown, or in another notation. */
function foreignIn(template: string): { text: string; ours: string | undefined }[] {
  const found = macrosOf(behindHost(template), (name) => oursFor(name) !== undefined)
    .filter(({ text, name }) => !isMacro(name) || text !== `{${name}}`)
    .map(({ text, name }) => [text, { text, ours: oursFor(name) }] as const)
  return [...new Map(found).values()]
}

function macroProblem(foreign: ReturnType<typeof foreignIn>): string | undefined {
  if (foreign.length === 0) return undefined
  const problem = `has ${foreign.map(({ text }) => text).join(', ')}, which`
  if (foreign.length === 1) {
    return `${problem} is no macro${foreign[0]?.ours === undefined ? '' : `: write ${foreign[0].ours}`}`
  }
  const advice = foreign.flatMap(({ text, ours }) => (ours ? `for ${text} write ${ours}` : []))
  return `${problem} are no macros${advice.length === 0 ? '' : `: ${advice.join(', ')}`}`
}

/** Which of our macros to write for a name that a tracker has for its own. */
function oursFor(name: string): string | undefined {
  const key = parameterKey(name)
  if (CLICK_IDS.has(key)) return '{sub1} (your tracker’s click id) or {click_id} (ours)'
  const macro = POSTBACK_MACROS.find((one) => parameterKey(one) === key) ?? OTHER_NAMES.get(key)
  return macro && `{${macro}}`
}

/** Names as trackers have them, normalized: see {@link parameterKey}. */
const CLICK_IDS = new Set(['clickid', 'click', 'cid', 'clkid', 'subid', 'externalid'])
const OTHER_NAMES: ReadonlyMap<string, PostbackMacro> = new Map(
  (
    [
      ...SUB_NAMES.flatMap((sub, index) => {
        const number = index + 1
        const names = [`subid${number}`, `affsub${number}`, `s${number}`, `p${number}`]
        return (number === 1 ? [...names, 'affsub'] : names).map((name) => [sub, name] as const)
      }),
      ...['sum', 'amount', 'revenue', 'price', 'commission', 'cost'].map((one) => ['payout', one]),
      ...['txid', 'tid', 'txnid', 'orderid', 'order'].map((one) => ['transaction_id', one]),
      ...['goal', 'goalid', 'goalname', 'eventname', 'eventtype'].map((one) => ['event', one]),
      ...['conversionid', 'actionid'].map((one) => ['event_id', one]),
      ...['affid', 'affiliateid', 'pubid', 'publisherid'].map((one) => ['agent_id', one]),
      ...['timestamp', 'unixtime', 'ts'].map((one) => ['time_unix', one]),
      ...['cur', 'currencycode'].map((one) => ['currency', one]),
    ] as [PostbackMacro, string][]
  ).map(([macro, name]) => [name, macro]),
)

/** The first problem of a webhook's URL, to follow the word *URL*. It has no macros. */
export function webhookUrlProblem(url: string): string | undefined {
  const hasMacros = macrosIn(url).length > 0 || foreignIn(url).length > 0
  return hasMacros
    ? 'must not have macros: a webhook has its values in its body'
    : postbackUrlProblem(url)
}

/**
 * Fills a URL behind its host. Values are percent-encoded, so that none can add a parameter or a header.
 *
 * @throws TypeError if it is no URL
 */
export function fillPostbackUrl(template: string, values: Partial<MacroValues>): string {
  const { href, origin } = new URL(template)
  const filled = href
    .slice(origin.length)
    .replaceAll(MACRO, (whole, name: string) =>
      isMacro(name) ? encodeURIComponent(String(values[name] ?? '').toWellFormed()) : whole,
    )
  return origin + filled
}

/** Whether a URL has one of these macros. */
export const usesMacro = (template: string, ...names: readonly PostbackMacro[]): boolean =>
  macrosIn(template).some((name) => names.some((one) => one === name))

/** As it is written, so that no parser has changed the notation. */
const behindHost = (template: string): string => template.replace(/^https?:\/\/[^/?#]*/i, '')

const macrosIn = (template: string): string[] => [
  ...new Set([...template.matchAll(MACRO)].map(([, name = '']) => name)),
]

const isMacro = (name: string): name is PostbackMacro => MACROS.has(name)
const MACROS: ReadonlySet<string> = new Set(POSTBACK_MACROS)

/** Braces may be percent-encoded: browsers copy them that way from the address bar. */
const MACRO = /(?:\{|%7[Bb])([\w.:|-]{0,60})(?:\}|%7[Dd])/g
