import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  isPostbackEvent,
  isReversal,
  isReversible,
  POSTBACK_EVENTS,
  type PostbackEvent,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import { isDay } from '@tallyroom/domain/new-york'
import type { Report, ReportedClick } from '../sales/index.ts'
import { type NameDialect, fieldNamesOf, valuesOf } from './field-names.ts'
import { type Field, MAX_FIELDS } from './postback-fields.ts'

/** How a site's merchant speaks. */
export type Dialect = NameDialect & {
  /** The merchant's own words for events, in lower case. */
  eventWords: ReadonlyMap<string, PostbackEvent>
}

/** What a postback says, as far as it could be read; `problems` is empty when all of it could. */
export type ParsedPostback = {
  clickId: string | undefined
  transactionId: string | undefined
  event: PostbackEvent | undefined
  /** For a reversal, what it takes back; undefined: the sale, or else the bonus. */
  target: ReversibleEvent | undefined
  typeAlias: string | undefined
  customerEmail: string | undefined
  /** When it happened. */
  occurredAt: Date
  problems: FieldMessages
}

const MAX_AGE_MS = 90 * 86_400_000
/** How far a merchant's clock may be ahead of ours. */
const MAX_SKEW_MS = 60_000

/** Reads a postback in the words of any of the trackers that its merchant may be used to. */
export function parsePostback(
  given: readonly Field[],
  dialect: Dialect,
  receivedAt: Date,
): ParsedPostback {
  const problems: FieldMessages = {}
  const report = (field: string, message: string) => {
    ;(problems[field] ??= []).push(message)
  }
  if (given.length > MAX_FIELDS) report('_form', `At most ${MAX_FIELDS} parameters are taken.`)
  const fields = given.slice(0, MAX_FIELDS)
  if (fields.some((field) => field.some((text) => CONTROL.test(text)))) {
    report('_form', 'A parameter has characters that are not allowed.')
  }

  const names = fieldNamesOf(dialect)
  const values = valuesOf(fields)
  const read = (field: keyof typeof names, maxLength: number): string | undefined => {
    const [value, ...others] = values(names[field])
    if (others.length > 0) report(field, 'is given more than once, with different values')
    if (value !== undefined && value.length > maxLength) {
      report(field, `must be at most ${maxLength} characters`)
    }
    return value?.slice(0, maxLength)
  }

  const clickId = read('click_id', 64)?.toLowerCase()
  const transactionId = read('transaction_id', 128)
  const word = read('event', 64)?.toLowerCase() ?? 'sale'
  const event = dialect.eventWords.get(word) ?? (isPostbackEvent(word) ? word : undefined)
  if (!event) report('event', `is not an event of this site. Use ${wordsOf(dialect).join(', ')}`)
  const targetWord = read('reverses', 64)?.toLowerCase()
  const target = targetWord !== undefined && isReversible(targetWord) ? targetWord : undefined
  if (targetWord !== undefined && target === undefined) {
    report('reverses', 'must be sale, approval or bonus')
  }
  // A reversal can do without: the order number leads to its sale.
  const needsClick = !event || !isReversal(event) || transactionId === undefined
  if (clickId === undefined && needsClick) report('click_id', 'is required')

  const time = read('time', 64)
  const occurredAt = time === undefined ? receivedAt : readTime(time)
  const problem = occurredAt
    ? timeProblem(occurredAt, receivedAt)
    : 'must be a time in ISO 8601 with its offset'
  if (problem) report('time', problem)

  return {
    clickId,
    transactionId,
    event,
    target,
    typeAlias: read('type', 128),
    customerEmail: read('email', 254),
    occurredAt: problem || !occurredAt || occurredAt > receivedAt ? receivedAt : occurredAt,
    problems,
  }
}

/** What a postback without problems reports. Undefined when it does not say enough, which is a problem. */
export function saleReportOf(
  parsed: Omit<ParsedPostback, 'problems' | 'clickId'>,
  {
    click,
    ...context
  }: {
    click: ReportedClick | undefined
    postbackId: string
    site: { id: number; useApproveSale: boolean }
    /** What becomes of a date of the merchant's before the click or sale. */
    ifEarly: 'hold' | 'redate'
    receivedAt: Date
    recordedAt: Date
  },
): Report | undefined {
  const common = {
    postbackId: context.postbackId,
    siteId: context.site.id,
    useApproveSale: context.site.useApproveSale,
    transactionId: parsed.transactionId,
    typeAlias: parsed.typeAlias,
    customerEmail: parsed.customerEmail,
    occurredAt: parsed.occurredAt,
    // A postback without a time has that of its arrival, which a clock that was put back may date before its click.
    ifEarly: parsed.occurredAt < context.receivedAt ? context.ifEarly : ('keep' as const),
    recordedAt: context.recordedAt,
  }
  if (!parsed.event) return undefined
  if (isReversal(parsed.event)) {
    return { ...common, kind: 'reversal', click, reversal: parsed.event, target: parsed.target }
  }
  return click && { ...common, kind: 'sale', click, event: parsed.event }
}

function readTime(text: string): Date | undefined {
  const [, day, time, sign, hours, minutes] = ISO_TIME.exec(text) ?? []
  if (day === undefined || time === undefined || !isDay(day)) return undefined
  // In a query, a plus sign that was not encoded arrives as a blank.
  const offset = hours === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`
  const ms = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:[Zz]|([+ -])(\d\d):?(\d\d))$/

function timeProblem(occurredAt: Date, receivedAt: Date): string | undefined {
  const ageMs = receivedAt.getTime() - occurredAt.getTime()
  if (ageMs < -MAX_SKEW_MS) return 'must not be in the future'
  if (ageMs > MAX_AGE_MS) return 'must not be more than 90 days ago'
  return undefined
}

// oxlint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/

/** What a merchant may call an event here: its own names first, then ours. */
const wordsOf = ({ eventWords }: Dialect): string[] => [
  ...new Set([...eventWords.keys(), ...POSTBACK_EVENTS]),
]
