import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  isPostbackEvent,
  isReversal,
  isReversible,
  type PostbackEvent,
  postbackEventsOf,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import { isDay } from '@tallyroom/domain/new-york'
import type { Report, ReportedClick } from '../sales/index.ts'
import { type NameDialect, fieldNamesOf, valuesOf } from './field-names.ts'
import { type Field, MAX_FIELDS } from './postback-fields.ts'

/** The dialect of a site's merchant. */
export type Dialect = NameDialect & {
  useApproveSale: boolean
  /** The merchant's own event names, in lower case. */
  eventWords: ReadonlyMap<string, PostbackEvent>
}

/** The parsed parts of a postback; `problems` is empty if it is valid. */
export type ParsedPostback = {
  clickId: string | undefined
  transactionId: string | undefined
  event: PostbackEvent | undefined
  /** The event that a reversal reverses. Defaults to the sale, or else the bonus. */
  target: ReversibleEvent | undefined
  typeAlias: string | undefined
  customerEmail: string | undefined
  occurredAt: Date
  problems: FieldMessages
}

const MAX_AGE_MS = 90 * 86_400_000
/** How far a merchant's clock may be ahead of ours. */
const MAX_SKEW_MS = 60_000

/** Parses a postback in the dialect of any supported tracker. */
export function parsePostback(
  given: readonly Field[],
  dialect: Dialect,
  receivedAt: Date,
): ParsedPostback {
  const problems: FieldMessages = {}
  const report = (field: string, message: string) => {
    ;(problems[field] ??= []).push(message)
  }
  if (given.length > MAX_FIELDS) report('_form', `At most ${MAX_FIELDS} parameters are allowed.`)
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
  if (!event)
    report('event', `is not an event of this site. Use one of ${wordsOf(dialect).join(', ')}`)
  const targetWord = read('reverses', 64)?.toLowerCase()
  const target = targetWord !== undefined && isReversible(targetWord) ? targetWord : undefined
  if (targetWord !== undefined && target === undefined) {
    report('reverses', 'must be sale, approval or bonus')
  }
  // A reversal does not need it: the order number leads to its sale.
  const needsClick = !event || !isReversal(event) || transactionId === undefined
  if (clickId === undefined && needsClick) report('click_id', 'is required')

  const time = read('time', 64)
  const occurredAt = time === undefined ? receivedAt : readTime(time)
  const problem = occurredAt
    ? timeProblem(occurredAt, receivedAt)
    : 'must be an ISO 8601 time with an offset'
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

/** The report of a valid postback. Undefined if required fields are missing, which is a problem. */
export function saleReportOf(
  parsed: Omit<ParsedPostback, 'problems' | 'clickId'>,
  {
    click,
    ...context
  }: {
    click: ReportedClick | undefined
    postbackId: string
    site: { id: number; useApproveSale: boolean }
    /** How to handle a date before the click or sale. */
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
    // A postback without a time has its arrival time, which may be before the click if the clock was set back.
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
  // In a query, an unencoded plus sign arrives as a blank.
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

// oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/

/** The accepted event names: the merchant's own first, then ours. */
const wordsOf = (dialect: Dialect): string[] => [
  ...new Set([...dialect.eventWords.keys(), ...postbackEventsOf(dialect)]),
]
