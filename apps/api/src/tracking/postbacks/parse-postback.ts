import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  isReversal,
  isReversible,
  type PostbackEvent,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import type { Standing } from '@tallyroom/domain/standings'
import { countsSale, type HoldAct } from '@tallyroom/domain/holds'
import { isEmptyWord, placeholderProblem } from '@tallyroom/domain/placeholders'
import type { OrderRules, Report, ReportedClick } from '../sales/report.ts'
import { readMeaning, type Words } from './event-and-status.ts'
import {
  allGiven,
  fieldKey,
  type FieldName,
  type FieldNames,
  fieldNamesOf,
  firstGiven,
  type Given,
  type GivenFields,
  givenFields,
  keysOf,
  type NameDialect,
} from './field-names.ts'
import { type PostbackSite, usedApproveSale } from './postback-sites.ts'
import { misreadProblems } from './misread-names.ts'
import type { Field } from './field.ts'
import { MAX_FIELDS } from './postback-fields.ts'
import { type Reported, readReported } from './read-amount.ts'
import { MALFORMED_TIME, readTime, timeProblem } from './read-time.ts'
import { findTakesBack, type TakesBack } from './takes-back.ts'

/** The dialect of a site's merchant. */
export type Dialect = NameDialect & Words

/** The parsed parts of a postback; `problems` is empty if it is valid. */
export type ParsedPostback = {
  clickId: string | undefined
  transactionId: string | undefined
  /** An approval that names no click. It counts only if its order was reported with one before. */
  needsKnownOrder: boolean
  /** What happened. A sale, bonus, approval or click that is taken back is a reversal. */
  event: PostbackEvent | undefined
  /** Whether it counts. A reversal is `reverses`, or `pending` as long as the merchant has not decided on it. */
  standing: Standing
  /** Whether a status says that it counts, so that it also brings back a reversed sale. */
  approved: boolean
  /** The event that a reversal or rejection is about, if it is named. Default: all of the order or click. */
  target: ReversibleEvent | undefined
  typeAlias: string | undefined
  customerEmail: string | undefined
  occurredAt: Date
  /** Whether the merchant named the time. */
  isDated: boolean
  reported: Reported
  /** Set if a parameter says that money goes back although the event does not: then it is held for a person. */
  takesBack: TakesBack | undefined
  /** The names of parameters that have no effect, as sent. */
  unread: string[]
  problems: FieldMessages
}

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
  if (given.filter(([name]) => !name.includes('.')).length > MAX_FIELDS) {
    report('_form', `At most ${MAX_FIELDS} parameters are allowed.`)
  }
  const fields = givenFields(given)
  const names = fieldNamesOf(dialect)
  const read = (field: FieldName, maxLength: number): string | undefined => {
    const found = firstGiven(fields, names[field])
    if (!found) return undefined
    const [value = '', ...others] = found.values
    const problem = others.length > 0 ? TWO_VALUES : valueProblem(field, value, maxLength)
    if (problem !== undefined) report(field, problem)
    return value.slice(0, maxLength)
  }

  const clickId = read('click_id', 64)?.toLowerCase()
  const transactionId = read('transaction_id', 128)
  const meaning = readMeaning(fields, names, dialect)
  Object.assign(problems, meaning.problems)
  const { event, standing } = meaning

  const targetWord = read('reverses', 64)?.toLowerCase()
  const target = targetWord !== undefined && isReversible(targetWord) ? targetWord : undefined
  if (targetWord !== undefined && target === undefined) {
    report('reverses', 'must be sale, approval, bonus or rebill')
  }
  // A reversal or rejection does not need it: the order number leads to its sale.
  const isAboutOrder =
    transactionId !== undefined && (standing === 'reverses' || standing === 'rejected')
  // Neither does an approval: its order was reported before, with a click.
  const isApproval = transactionId !== undefined && meaning.approved
  const needsKnownOrder = clickId === undefined && event !== undefined && isApproval
  const needsClick = !event || !(isAboutOrder || isApproval)
  if (clickId === undefined && needsClick) report('click_id', 'is required')
  if (event === 'rebill' && transactionId === undefined) {
    report('transaction_id', 'is required for a rebill: each has an order number of its own')
  }

  const time = read('time', 64)
  const occurredAt = time === undefined ? receivedAt : readTime(time)
  const problem = occurredAt ? timeProblem(occurredAt, receivedAt) : MALFORMED_TIME
  if (problem && !problems['time']) report('time', problem)

  const email = read('email', 254)
  const settings = keysOf(dialect.tracker?.settings ?? NO_SETTINGS)
  const unread = unreadFields(fields, names).filter(
    ({ name }) => settings.length === 0 || !settings.includes(fieldKey(name)),
  )
  const takesBack =
    standing === 'reverses' || standing === 'rejected' ? undefined : findTakesBack(unread)
  Object.assign(
    problems,
    takesBack ? {} : misreadProblems(unread, { fields, names, words: dialect }),
  )

  return {
    clickId,
    transactionId,
    needsKnownOrder,
    event,
    standing,
    approved: meaning.approved,
    target: target ?? (standing === 'counts' ? undefined : meaning.named),
    typeAlias: read('type', 128),
    // An address has no blank, so it was a plus sign that was not encoded.
    customerEmail:
      email === undefined || isEmptyWord(email) ? undefined : email.replaceAll(' ', '+'),
    occurredAt: problem || !occurredAt || occurredAt > receivedAt ? receivedAt : occurredAt,
    isDated: time !== undefined,
    reported: readReported(fields, standing === 'reverses' || standing === 'rejected'),
    takesBack: meaning.doubt ?? takesBack,
    unread: unread.map(({ name }) => name),
    problems,
  }
}

const NO_SETTINGS: readonly string[] = []

const TWO_VALUES = 'is given more than once, with different values'

function valueProblem(field: FieldName, value: string, maxLength: number): string | undefined {
  if (value.length > maxLength) return `must be at most ${maxLength} characters`
  if (CONTROL.test(value) || !value.isWellFormed()) return 'has characters that are not allowed'
  // Programs write that there is no address as a word, and nothing depends on it.
  if (field === 'email' && isEmptyWord(value)) return undefined
  if (field === 'transaction_id' && /^0+$/.test(value)) return 'is 0, which is no order number'
  return placeholderProblem(value)
}

/** The parameters that are not read, and of several names for one field those that do not count. */
function unreadFields(fields: GivenFields, names: FieldNames): Given[] {
  const read = new Set<Given | undefined>(allGiven(fields, names.status))
  for (const field of Object.keys(names) as FieldName[]) {
    if (field !== 'status') read.add(firstGiven(fields, names[field]))
  }
  return [...fields.values()].filter((given) => !read.has(given))
}

/** The report of a valid postback. Undefined if required fields are missing, which is a problem. */
export function saleReportOf(
  parsed: Pick<
    ParsedPostback,
    'transactionId' | 'event' | 'target' | 'typeAlias' | 'customerEmail' | 'occurredAt'
  > & {
    reported: Pick<Reported, 'amountE4' | 'currency'>
    /** Whether the merchant says with a status whether it counts, so that it is no matter of retries. */
    insists: boolean
  },
  {
    click,
    ...context
  }: {
    click: ReportedClick | undefined
    postbackId: string
    site: Pick<PostbackSite, 'id' | 'useApproveSale' | 'formerApproveSale'> & OrderRules
    /** What staff chose to do about it, and to which sale. */
    act?: HoldAct | undefined
    chosen?: string | undefined
    receivedAt: Date
    recordedAt: Date
  },
): Report | undefined {
  const { severalProducts, countsForDays, partRule, ...site } = context.site
  const { occurredAt } = parsed
  const isDated = occurredAt < context.receivedAt
  const { amountE4, currency } = parsed.reported
  const common = {
    postbackId: context.postbackId,
    siteId: site.id,
    useApproveSale: usedApproveSale(site, occurredAt),
    rules: { severalProducts, countsForDays, partRule },
    transactionId: parsed.transactionId,
    typeAlias: parsed.typeAlias,
    customerEmail: parsed.customerEmail,
    amount: amountE4 === undefined ? undefined : { e4: amountE4, currency },
    occurredAt,
    isDated,
    insists: parsed.insists,
    act: context.act,
    // A postback without a time has its arrival time, which may be before the click if the clock was set back.
    ifEarly: !isDated ? 'keep' : countsSale(context.act) ? 'redate' : 'hold',
    recordedAt: context.recordedAt,
  } as const
  if (!parsed.event) return undefined
  if (isReversal(parsed.event)) {
    const { event: reversal, target } = parsed
    return { ...common, kind: 'reversal', click, reversal, target, chosen: context.chosen }
  }
  return click && { ...common, kind: 'sale', click, event: parsed.event }
}

// oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/
