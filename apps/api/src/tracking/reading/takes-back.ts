import { inSentence } from '@tallyroom/domain/invisible'
import type { Given } from './field-names.ts'

/** A parameter that says that money goes back, although the event that was read does not. */
export type TakesBack = { name: string; value: string }

/** Says which parameter it is: `event_type=refund`. */
export const takesBackReason = (parameter: string): string =>
  `${inSentence(parameter)} says that money goes back, but not as an event that we read. Somebody has to decide.`

/** What the parameters that were not read as the event or its status say about money that goes back. */
export const allTakesBack = (unread: readonly Given[]): TakesBack[] =>
  unread.flatMap(({ name, values }) =>
    values.filter((text) => takesBack(name, text)).map((value) => ({ name, value })),
  )

/** Whether a parameter of this name says so with how much. */
export const isOfSum = (name: string): boolean => ['sum', 'money'].includes(kindOf(name))

/**
 * A word such as refund alone says it under any name, because names may be misspelt. Beside other words it says
 * it only in a parameter that tells what happened: `reason=refund requested`, but not `note=no refund`.
 */
function takesBack(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind === 'elsewhere') return false
  if (kind === 'money') return NEGATIVE.test(value)
  if (value.length > 100) return false
  if (kind !== 'tells' && kind !== 'other' && SAYS_SO[kind].test(value)) return true
  return (
    TAKES_BACK.test(lettersOf(value)) ||
    (kind === 'tells' && wordsOf(value).some((word) => TAKES_BACK.test(word))) ||
    // A trip or a visitor may be of the type `return`.
    (kind === 'tells' && !/type$/i.test(name) && /^returns?$/.test(lettersOf(value)))
  )
}

/** `elsewhere` is not about the order. The last three have the word in their name: `is_refunded=1`, `refund_amount=5`, `cancelled_at=2026-03-01`. */
type Kind = 'money' | 'tells' | 'other' | 'elsewhere' | keyof typeof SAYS_SO

const SAYS_SO = {
  flag: /^(?:1|true|yes|y|on)$/i,
  sum: /^[^\d.,' ]{0,8}[0.,' ]*[1-9][\d.,' ]*[^\d.,' ]{0,8}$/,
  date: /^\d{4}-\d\d-\d\d|^\d{10}(?:\d{3})?$/,
}

/** What a parameter of this name is about. Merchants send the same names each time. */
function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known) return known
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const isMoney = MONEY.some((word) => isNearly(last, word) || isNearly(words.join(''), word))
  const telling = last === 'code' ? (words.at(-2) ?? '') : last
  const parts = name.split(/[.[\]]+/).filter((part) => part !== '')
  const around = parts.slice(0, -1).map(wordsOf)
  const inside = around.some((part) => backKindOf(part) === 'flag')
  const kind =
    (around.some(isElsewhere)
      ? 'elsewhere'
      : inside && isMoney
        ? 'sum'
        : backKindOf(wordsOf(parts.at(-1) ?? ''))) ??
    (isElsewhere(words)
      ? 'elsewhere'
      : isMoney
        ? 'money'
        : TELLS.some((word) => telling.endsWith(word))
          ? 'tells'
          : 'other')
  if (kinds.size >= MOST_NAMES) kinds.clear()
  kinds.set(name, kind)
  return kind
}

/** Whether a name, given as its words, is about something else than the order. */
export const isElsewhere = (words: readonly string[]): boolean =>
  words.some((word) => OTHER_THINGS.test(word)) || OTHER_NAMES.test(words.join(''))

/** Of the words of a name that, but for those which say nothing, are a word such as refund. */
function backKindOf(words: readonly string[]): keyof typeof SAYS_SO | undefined {
  const isSum = words.some((word) => MONEY.includes(word))
  const isDate = words.some((word) => DATES.includes(word))
  const word = words.filter((one) => ![...FILLERS, ...MONEY, ...DATES].includes(one)).join('')
  if (!TAKES_BACK.test(word)) return undefined
  if (isSum) return 'sum'
  // What is to be cancelled on a day, as a subscription is, still counts.
  if (isDate) return /(?:ed|refund|chargeback)$/.test(word) ? 'date' : undefined
  return 'flag'
}

const FILLERS = 'is was has been order payment transaction sale conversion customer flag'.split(' ')

const DATES = ['at', 'on', 'date', 'time', 'timestamp']

const kinds = new Map<string, Kind>()

/** Names of any length are sent, but few by each merchant. */
const MOST_NAMES = 1_000

const TELLS =
  'type action status event reason kind goal state topic disposition operation outcome result'.split(
    ' ',
  )

/** In names of what is not the order: what lowers its price, what was before, and the agent's own marks. */
const OTHER_THINGS =
  /^(?:discounts?|coupons?|promo|promotions?|vouchers?|rebates?|cashback|gift|giftcards?|fees?|shipping|points|tips?|balance|old|prev|previous|prior|before|former|from|utm|keywords?|campaign|adgroup|creative|placement|sub\d)$/

/** The words of such a name together: `sub_id_1`, `customer_type`. */
const OTHER_NAMES = /^(?:(?:aff|adv|click)?sub(?:id)?\d{0,2}|(?:customer|buyer)type)$/

const TAKES_BACK =
  /^(refund(s|ed|ing)?|void(s|ed)?|cancel(s|l?ed|lation)?|charge?backs?|chargedback|reject(s|ed|ion)?|declin(e|ed|es|ing)|disput(e|es|ed)|fraud(ulent)?|revers(e|ed|al)|storno|storniert|returned|creditnotes?|invalidated?|annul(led|ment)?|failed|denied|uncollectible|unpaid)$/

const MONEY = ['amount', 'sum', 'payout', 'revenue', 'total', 'price', 'quantity', 'qty', 'cost']

/** `-49.90`, `−5`, `USD -33,95`, `$-5`, `5.00-` and `(5.00)`. */
const NEGATIVE =
  /^[^\d]{0,8}[-\u2212\u2013][^\d]{0,8}\d|^\([^\d]{0,8}\d[\d.,' ]*\)$|^[\d.,]+ ?[-\u2212]$/

/** The letters and digits of a value, in lower case: `Charge-back` is `chargeback`. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The words of a name or value, in lower case: `ORDER.Refunded` and `orderRefunded` are `order` and `refunded`. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Whether two words are equal but for one slip: a letter too many, too few, wrong, or two exchanged. */
export function isNearly(text: string, word: string): boolean {
  if (text === word) return true
  if (word.length < 4 || Math.abs(text.length - word.length) > 1) return false
  let start = 0
  while (start < text.length && text[start] === word[start]) start++
  const [rest, wanted] = [text.slice(start), word.slice(start)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  )
}
