import { decodeClickId } from '@tallyroom/domain/click-id'
import { REVERSALS } from '@tallyroom/domain/event-types'
import { isEmptyWord } from '@tallyroom/domain/placeholders'
import type { Tracker } from '@tallyroom/domain/trackers'
import {
  fieldKey,
  fieldNamesOf,
  firstGiven,
  type Given,
  type GivenFields,
  type NameDialect,
} from './field-names.ts'
import { readAmountE4 } from './read-amount.ts'
import type { TakesBack } from './takes-back.ts'

/** What a shop's own body says, in the fields that every postback has. */
export type ShopReading = {
  fields: GivenFields
  /** Of a refund: its order, by the id that the shop has for it. Reports of the order may have named it by its number. */
  orderId: string | undefined
  /** Set if a refund does not say that any money went back. */
  doubt: TakesBack | undefined
  /** The parameter that says that it is a test. */
  test: Given | undefined
}

/** Reads a click id from a list of names and values, and a shop's refund as a reversal of its order. */
export function readShop(given: GivenFields, dialect: NameDialect): ShopReading {
  const fields = withClick(given, dialect)
  const { tracker } = dialect
  const test = testMarkIn(fields, tracker)
  const order = tracker?.refund && orderOfRefund(fields, tracker.refund)
  if (!tracker?.refund || !order) return { fields, orderId: undefined, doubt: undefined, test }
  const refund = new Map(fields)
  const set = (name: string, from: Given | undefined, value = from?.values[0]) => {
    if (value !== undefined && !refund.has(fieldKey(name)))
      refund.set(fieldKey(name), { name: from?.name ?? name, values: [value] })
  }
  refund.delete(fieldKey(tracker.refund.order))
  set(tracker.refund.orderNumber, order)
  set('event', undefined, 'void')
  set('refund_id', fields.get('id'))
  refund.delete('id')
  const sums = tracker.refund.hasTransactions ? refundedIn(fields) : undefined
  if (sums) set('refund_amount', undefined, sums.amount)
  if (sums?.currency) set('currency', undefined, sums.currency)
  const isUnclear = sums && sums.amount === undefined && !fields.has('amount')
  const doubt = isUnclear ? { name: 'transactions', value: 'none that succeeded' } : undefined
  return { fields: refund, orderId: order.values[0], doubt, test }
}

/** What marks a body as a test, or all transactions of a refund. */
function testMarkIn(fields: GivenFields, tracker: Tracker | undefined): Given | undefined {
  const { test, refund } = tracker ?? {}
  if (!test) return undefined
  const key = fieldKey(test.name)
  const own = fields.get(key)
  const ofTransactions = [...fields.entries()].flatMap(([name, given]) =>
    name.startsWith('transactions.') && name.split('.')[2] === key ? [given] : [],
  )
  const marks = own ? [own] : refund?.hasTransactions ? ofTransactions : []
  const isTest = marks.every(({ values }) =>
    values.every((value) => value.toLowerCase() === test.value),
  )
  return isTest ? marks[0] : undefined
}

/** Where shops keep what a cart was given on its way, such as a click id. */
const PAIR = /^((?:noteattributes|metadata|customattributes)\.\d+)\.(?:name|key|attributecode)$/

/** A click id that stands in a list of names and values is a field. Others there are the shop's own. */
function withClick(given: GivenFields, dialect: NameDialect): GivenFields {
  const { click_id: names } = fieldNamesOf(dialect)
  if (firstGiven(given, names)) return given
  const keys = names.map(fieldKey)
  const found = [...given].flatMap(([key, { values }]) => {
    const [, pair] = PAIR.exec(key) ?? []
    const value = given.get(`${pair}.value`)
    const isClick =
      values.some((name) => keys.includes(fieldKey(name))) &&
      value?.values.some((text) => decodeClickId(text.toLowerCase()))
    return isClick && value ? [value] : []
  })
  const [first] = found
  if (!first) return given
  const values = [...new Set(found.flatMap((pair) => pair.values))]
  return new Map([...given, [keys[0] ?? 'clickid', { name: first.name, values }]])
}

/** The order of a body that is a refund and no order. */
function orderOfRefund(
  fields: GivenFields,
  { order, orderNumber, marks }: NonNullable<Tracker['refund']>,
): Given | undefined {
  const [event = ''] = fields.get('event')?.values ?? []
  const isMarked =
    marks.some((mark) => fields.has(fieldKey(mark))) ||
    REVERSALS.some((reversal) => reversal === event.toLowerCase())
  const named = fields.get(fieldKey(order))
  const [id = ''] = named?.values ?? []
  return isMarked && !fields.has(fieldKey(orderNumber)) && !/^0*$/.test(id) && !isEmptyWord(id)
    ? named
    : undefined
}

/** The sum of a refund's successful transactions, as text; undefined if there is none. */
function refundedIn(fields: GivenFields): {
  amount: string | undefined
  currency: string | undefined
} {
  const of = (place: string, name: string) => fields.get(`transactions.${place}.${name}`)?.values[0]
  const places = [...fields.keys()].flatMap(
    (key) => /^transactions\.(\d+)\.kind$/.exec(key)?.[1] ?? [],
  )
  const done = places.filter(
    (place) =>
      of(place, 'kind')?.toLowerCase() === 'refund' &&
      (of(place, 'status') ?? 'success').toLowerCase() === 'success',
  )
  const amounts = done.map((place) => of(place, 'amount') ?? '')
  const sums = amounts.map(readAmountE4)
  const currencies = [...new Set(done.flatMap((place) => of(place, 'currency') ?? []))]
  const isClear = currencies.length < 2 && sums.every((sum) => sum !== undefined && sum >= 0)
  const sum = sums.reduce<number>((all, one) => all + (one ?? 0), 0)
  const amount = isClear ? (sum / 10_000).toFixed(4) : amounts.join(' + ')
  return { amount: done.length === 0 || sum === 0 ? undefined : amount, currency: currencies[0] }
}
