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
import { REMOVED } from '../../lib/secret-names.ts'
import type { OrderRules, Report, ReportedClick } from '../sales/report.ts'
import { askableWords, wordOfTakesBack } from '../reading/askable-words.ts'
import { IS_KEY } from '../reading/kept-fields.ts'
import { couponsIn } from '../reading/coupon-codes.ts'
import { decidedIn, withDecided, without, wordKey } from '../reading/decided-words.ts'
import { type Meaning, readMeaning, type Words } from '../reading/event-and-status.ts'
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
} from '../reading/field-names.ts'
import { type PostbackSite, usedApproveSale } from './postback-sites.ts'
import { misreadProblems } from '../reading/misread-names.ts'
import type { Field } from '../reading/field.ts'
import { differingNames } from '../reading/free-parameters.ts'
import { MAX_FIELDS } from '../reading/postback-fields.ts'
import { type Reported, readReported } from '../reading/read-amount.ts'
import { isNow, MALFORMED_TIME, readTime, timeProblem } from '../reading/read-time.ts'
import { saidWord, type SaidWord } from '../reading/said.ts'
import { readShop, type ShopReading } from '../reading/shop-bodies.ts'
import { allTakesBack, type TakesBack } from '../reading/takes-back.ts'

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
  /** Whether it says so itself. Else the event is the default. */
  namesEvent: boolean
  /** Whether it counts. A reversal is `reverses`, or `pending` as long as the merchant has not decided on it. */
  standing: Standing
  /** Whether a status says that it counts, so that it also brings back a reversed sale. */
  approved: boolean
  /** The event that a reversal or rejection is about, if it is named. Default: all of the order or click. */
  target: ReversibleEvent | undefined
  typeAlias: string | undefined
  /** The coupon codes that it names, as codes are compared. Empty on a site without codes. */
  coupons: readonly string[]
  customerEmail: string | undefined
  occurredAt: Date
  /** Whether the merchant named the time. */
  isDated: boolean
  reported: Reported
  /** Set if a parameter says that money goes back although the event does not: then it is held for a person. */
  takesBack: TakesBack | undefined
  /** The words of all parameters that say so. Empty if one of them says it otherwise: then a decision about words is not enough. */
  takesBackWords: SaidWord[]
  /** Of a shop's refund: its order, by an id that other reports of it need not have as their order number. */
  shopOrderId: string | undefined
  /** The parameter for which it is ignored, as agreed with the network. */
  ignored: Meaning['ignored']
  /** Whether a shop only tries whether the address answers. */
  isPing: boolean
  /** The parameter by which its shop or tracker says that it is a test. */
  test: Given | undefined
  /** The names of parameters that have no effect, as sent. */
  unread: string[]
  /** Of these, the words that could say what became of the order, if they are new. Without those that are decided. */
  words: SaidWord[]
  /** Words in them that were decided about, but beside another event. */
  otherwise: SaidWord[]
  /** An event or status whose word nobody has explained, and what it all means without it. */
  unknown: { said: SaidWord; as: ParsedPostback } | undefined
  problems: FieldMessages
}

/** Parses a postback in the dialect of any supported tracker. */
export function parsePostback(
  given: readonly Field[],
  dialect: Dialect,
  receivedAt: Date,
): ParsedPostback {
  const shop = readShop(givenFields(given), dialect)
  const hasTooMany = given.filter(([name]) => !name.includes('.')).length > MAX_FIELDS
  const read = { shop, dialect, receivedAt, hasTooMany }
  const { unknownWord, ...parsed } = parseFields(shop.fields, { ...read, isOpen: false })
  if (!unknownWord) return parsed
  const { key, said } = unknownWord
  const { unknownWord: _another, ...as } = parseFields(without(shop.fields, [key]), {
    ...read,
    isOpen: true,
  })
  return { ...parsed, unknown: { said, as } }
}

type ToParse = {
  shop: ShopReading
  dialect: Dialect
  receivedAt: Date
  hasTooMany: boolean
  /** A word of it is left out that may take the order back, for which its number would be enough. */
  isOpen: boolean
}

function parseFields(
  all: GivenFields,
  { shop, dialect, receivedAt, hasTooMany, isOpen }: ToParse,
): ParsedPostback & { unknownWord: { key: string; said: SaidWord } | undefined } {
  const names = fieldNamesOf(dialect)
  const { fields, applied, others } = leaveOutDecided(all, names, dialect)
  const { problems, report, read } = readerOf(fields, names)
  if (hasTooMany) report('_form', `At most ${MAX_FIELDS} parameters are allowed.`)

  const clickId = read('click_id', 64)?.toLowerCase()
  const transactionId = read('transaction_id', 128)
  const meaning = withDecided(readMeaning(fields, names, dialect), applied)
  Object.assign(problems, meaning.problems)
  const { event, standing, approved } = meaning
  const isBack =
    standing === 'reverses' || standing === 'rejected' || (event !== undefined && isReversal(event))

  const target = readTarget(read('reverses', 64), report)
  // A reversal or rejection does not need a click: the order number leads to its sale. Neither does an approval: its order was
  // reported before, with a click.
  const isOfOrder = transactionId !== undefined && (isBack || approved || isOpen)
  // A test claims no order for a code.
  const coupons = shop.test ? [] : couponsIn(fields, names)
  reportMissing({ clickId, transactionId, event, coupons, isOfOrder }, report)

  const when = readWhen(read('time', 64), receivedAt)
  if (when.problem && !problems['time']) report('time', when.problem)

  const customerEmail = readEmail(read('email', 254))
  const unread = unreadFields(fields, names, dialect)
  const backs = isBack ? [] : allTakesBack(unread)
  const [takesBack] = backs
  const doubt = meaning.doubt ?? shop.doubt
  if (!takesBack)
    Object.assign(problems, misreadProblems(unread, { fields, names, words: dialect }))

  return {
    clickId,
    transactionId,
    needsKnownOrder: clickId === undefined && event !== undefined && isOfOrder && approved,
    event,
    namesEvent: meaning.namesEvent,
    standing,
    approved,
    target: target ?? (standing === 'counts' ? undefined : meaning.named),
    typeAlias: read('type', 128),
    coupons,
    customerEmail,
    occurredAt: when.occurredAt,
    isDated: when.isDated,
    reported: readReported(fields, isBack),
    takesBack: doubt ?? takesBack,
    takesBackWords: doubt ? [] : wordsOf(backs),
    shopOrderId: shop.orderId,
    ignored: meaning.ignored,
    isPing: isPing(fields),
    test: shop.test,
    unread: unread.map(({ name }) => name),
    words: askableWords(unread).filter((word) => !isDecided(word, event, dialect)),
    otherwise: others.flatMap(({ key, said }) =>
      unread.some(({ name }) => fieldKey(name) === key) ? [said] : [],
    ),
    unknown: undefined,
    unknownWord: soleUnknown(meaning),
    problems,
  }
}

function reportMissing(
  {
    clickId,
    transactionId,
    event,
    coupons,
    isOfOrder,
  }: Pick<ParsedPostback, 'clickId' | 'transactionId' | 'event' | 'coupons'> & {
    isOfOrder: boolean
  },
  report: (field: string, message: string) => void,
): void {
  if (clickId === undefined && !(event && isOfOrder)) {
    if (coupons.length === 0) report('click_id', 'is required')
    else if (transactionId === undefined)
      report('transaction_id', 'is required with a coupon code instead of a click id')
  }
  if (event === 'rebill' && transactionId === undefined) {
    report('transaction_id', 'is required for a rebill: each has an order number of its own')
  }
}

/** Its fields without the words that were decided to mean something beside its event. `others`: beside another event alone. */
function leaveOutDecided(all: GivenFields, names: FieldNames, dialect: Dialect) {
  const found = decidedIn(all, dialect.decidedWords)
  if (found.length === 0) return { fields: all, applied: [], others: [] }
  const keys = found.map(({ key }) => key)
  const { event = 'sale' } = readMeaning(without(all, keys), names, dialect)
  const applied = found.flatMap(({ byEvent, ...word }) => {
    const reading = byEvent.get(event)
    return reading === undefined ? [] : [{ ...word, reading }]
  })
  const others = found.filter(({ byEvent }) => !byEvent.has(event))
  const fields = without(
    all,
    applied.map(({ key }) => key),
  )
  return { fields, applied, others }
}

/** All of them, or none. */
function wordsOf(backs: readonly TakesBack[]): SaidWord[] {
  const words = backs.flatMap((back) => wordOfTakesBack(back) ?? [])
  return words.length < backs.length ? [] : words
}

/** One that is decided is left out of the fields, unless its parameter says something else, too. */
const isDecided = (
  word: SaidWord,
  event: PostbackEvent | undefined,
  { decidedWords }: Dialect,
): boolean => event !== undefined && decidedWords?.get(wordKey(word))?.has(event) === true

/** The parameter whose unknown word is all that is wrong with the event and its status. */
function soleUnknown({ unknown, problems }: Meaning) {
  const [only, ...others] = unknown
  if (!only || others.length > 0 || Object.values(problems).flat().length > 1) return undefined
  const said = saidWord(only.name, only.values[0] ?? '')
  return said && { key: fieldKey(only.name), said }
}

/** Reads fields one by one, and gathers what is wrong with them. */
function readerOf(fields: GivenFields, names: FieldNames) {
  const problems: FieldMessages = {}
  const report = (field: string, message: string): void => {
    ;(problems[field] ??= []).push(message)
  }
  const read = (field: FieldName, maxLength: number): string | undefined => {
    const found = firstGiven(fields, names[field])
    if (!found) return undefined
    const [value = '', ...others] = found.values
    const problem = others.length > 0 ? TWO_VALUES : valueProblem(field, value, maxLength)
    if (problem !== undefined) report(field, problem)
    return value.slice(0, maxLength)
  }
  return { problems, report, read }
}

function readTarget(
  given: string | undefined,
  report: (field: string, message: string) => void,
): ReversibleEvent | undefined {
  const word = given?.toLowerCase()
  if (word === undefined || isReversible(word)) return word
  report('reverses', 'must be sale, approval, bonus or rebill')
  return undefined
}

/** When it happened. What has no time that can be, happened when it came. */
function readWhen(given: string | undefined, receivedAt: Date) {
  const time = given === undefined || isNow(given) ? undefined : given
  const said = time === undefined ? receivedAt : readTime(time)
  const problem = said ? timeProblem(said, receivedAt) : MALFORMED_TIME
  const occurredAt = problem || !said || said > receivedAt ? receivedAt : said
  return { occurredAt, isDated: time !== undefined, problem }
}

/** An address has no blank, so it was a plus sign that was not encoded. */
const readEmail = (email: string | undefined): string | undefined =>
  email === undefined || isNoAddress(email) ? undefined : email.replaceAll(' ', '+')

const isNoAddress = (value: string) => value === REMOVED || isEmptyWord(value)

const NO_SETTINGS: readonly string[] = []

const TWO_VALUES = 'is given more than once, with different values'

function valueProblem(field: FieldName, value: string, maxLength: number): string | undefined {
  if (value.length > maxLength) return `must be at most ${maxLength} characters`
  if (CONTROL.test(value) || !value.isWellFormed()) return 'has characters that are not allowed'
  // Programs write that there is no address as a word, and nothing depends on it.
  if (field === 'email' && isNoAddress(value)) return undefined
  if (value === REMOVED) return IS_KEY
  if (field === 'transaction_id' && /^0+$/.test(value)) return 'is 0, which is no order number'
  return placeholderProblem(value)
}

/**
 * The parameters that are not read, and of several names for one field those that do not count; but for the settings of the
 * site's tracker.
 */
function unreadFields(fields: GivenFields, names: FieldNames, { tracker }: Dialect): Given[] {
  const read = new Set<Given | undefined>([
    ...allGiven(fields, names.status),
    ...allGiven(fields, names.coupon),
  ])
  for (const field of Object.keys(names) as FieldName[]) {
    if (field !== 'status' && field !== 'coupon') read.add(firstGiven(fields, names[field]))
  }
  const settings = keysOf(tracker?.settings ?? NO_SETTINGS)
  return [...fields.values()].filter(
    (given) => !read.has(given) && !settings.includes(fieldKey(given.name)),
  )
}

/** WooCommerce sends the number of a new webhook and nothing else, and switches it off if that is refused. */
const isPing = (fields: GivenFields): boolean =>
  fields.has('webhookid') && [...fields.keys()].every((key) => key === 'webhookid' || key === 'key')

/** The report of a valid postback. Undefined if required fields are missing, which is a problem. */
export function saleReportOf(
  parsed: Pick<
    ParsedPostback,
    'transactionId' | 'event' | 'target' | 'typeAlias' | 'customerEmail' | 'occurredAt'
  > & {
    reported: Omit<Reported, 'quantity'>
    /** Whether the merchant says with a status whether it counts, so that it is no matter of retries. */
    insists: boolean
  },
  {
    click,
    ...context
  }: {
    click: ReportedClick | undefined
    onlyByCode?: boolean | undefined
    postbackId: string
    site: Pick<PostbackSite, 'id' | 'useApproveSale' | 'formerApproveSale'> & OrderRules
    /** Its parameters as kept, and the names that its merchant uses. */
    kept: unknown
    dialect: NameDialect
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
  const { amountE4, currency, unreadable, refundNumber } = parsed.reported
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
    const { chosen, onlyByCode } = context
    return {
      ...common,
      kind: 'reversal',
      click,
      onlyByCode,
      reversal,
      target,
      chosen,
      unreadable,
      refundNumber,
    }
  }
  const { kept, dialect } = context
  const differsFrom = (other: unknown) => differingNames(kept, other, dialect, parsed.insists)
  return click && { ...common, kind: 'sale', click, event: parsed.event, differsFrom }
}

// oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/
