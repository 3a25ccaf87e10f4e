import { DEFAULT_CLICK_PARAM, parameterKey } from '@tallyroom/domain/tracked-link'
import type { Tracker } from '@tallyroom/domain/trackers'
import type { Field } from './field.ts'

/** The parameter names of a site's merchant. */
export type NameDialect = {
  /** The site's parameter name for the click id; may be empty. */
  clickParam: string
  /** Whether `transaction_id` is the click id, as with TUNE and Everflow. */
  transactionIdIsClick: boolean
  /** The software that sends the postbacks, if we know it. */
  tracker: Tracker | undefined
  /** Whether agents have coupon codes for it, or had. Without, none is read. */
  hasCoupons?: boolean
}

/** The fields of a postback that change what it means. */
export type FieldName = keyof FieldNames

export type FieldNames = ReturnType<typeof listNames>

/** The accepted names of each field in a dialect. They are listed once, as every postback needs them. */
export function fieldNamesOf(dialect: NameDialect): FieldNames {
  const known = namesByDialect.get(dialect)
  if (known) return known
  const names = listNames(dialect)
  namesByDialect.set(dialect, names)
  return names
}

const namesByDialect = new WeakMap<NameDialect, FieldNames>()

/**
 * The accepted names of each field; the first one with a value counts. The tracker's own come first, names with
 * other meanings in other systems last. A site's click parameter is reserved for the click id.
 */
function listNames({ clickParam, transactionIdIsClick, tracker, hasCoupons }: NameDialect) {
  const own = clickParam === '' ? [] : [clickParam]
  const click = [
    ...own,
    ...(transactionIdIsClick ? ['transaction_id'] : []),
    ...(tracker?.names.click_id ?? []),
  ]
  const reserved = [
    ...click,
    ...Object.values(tracker?.names ?? {}).flat(),
    ...(tracker?.settings ?? []),
  ]
  const names = (field: keyof Tracker['names'], common: readonly string[]) => [
    ...(tracker?.names[field] ?? []).filter((name) => !includesName(click, name)),
    ...common.filter((name) => !includesName(reserved, name)),
  ]
  return {
    click_id: [
      ...click,
      ...[DEFAULT_CLICK_PARAM, 'clickid', 'cid', 'subid'].filter(
        (name) => !includesName(reserved, name),
      ),
    ],
    transaction_id: names('transaction_id', ORDER_NAMES),
    event: names(
      'event',
      // In other systems it is the number of a message.
      transactionIdIsClick ? [...EVENT_NAMES, 'event_id'] : EVENT_NAMES,
    ),
    status: names('status', STATUS_NAMES),
    type: names('type', ['type']),
    email: names('email', ['email', 'customer_email']),
    time: names('time', ['time', 'event_time']),
    reverses: names('reverses', ['reverses']),
    coupon: hasCoupons ? COUPON_NAMES.filter((name) => !includesName(reserved, name)) : [],
  }
}

const words = (text: string) => text.split(' ')

const ORDER_NAMES = words(
  'transaction_id txn_id txid tid order_id order_number order_no orderref adv_order_id invoice_id sale_id ' +
    // This one is a customer in some systems.
    'payment_id conversion_id cnv_id action_id order external_id ' +
    'order_reference reference oid id_order trans_id transid purchase_id receipt_id booking_id deposit_id ' +
    'checkout_id charge_id uniqueid lead_id',
)

const EVENT_NAMES = words(
  'event event_name adv_event_id goal goal_alias goal_name goal_id goal_value et action_code',
)

const STATUS_NAMES = words(
  'status conv_status conversion_status cnv_status txn_status transaction_status order_status ' +
    'payment_status sale_status approval approval_status',
)

const COUPON_NAMES = words(
  'coupon coupon_code discount_code promo_code voucher voucher_code coupons coupon_codes discount_codes promo',
)

/** The values of one parameter, in the spelling in which it came first. */
export type Given = { name: string; values: string[] }

/** The parameters that have a value, by `fieldKey`, in the order in which they came. */
export type GivenFields = ReadonlyMap<string, Given>

/** `OrderID`, `orderId`, `order_id` and `order-id` are equal. */
export function givenFields(fields: readonly Field[]): GivenFields {
  const given = new Map<string, Given>()
  for (const [name, text] of fields) {
    const value = text.trim()
    if (value === '') continue
    const key = fieldKey(name)
    const known = given.get(key)
    if (!known) given.set(key, { name, values: [value] })
    else if (!known.values.includes(value)) known.values.push(value)
  }
  return given
}

/** The first of these names that has a value. */
export function firstGiven(given: GivenFields, names: readonly string[]): Given | undefined {
  for (const key of keysOf(names)) {
    const found = given.get(key)
    if (found) return found
  }
  return undefined
}

/** All of these names that have a value. */
export const allGiven = (given: GivenFields, names: readonly string[]): Given[] =>
  keysOf(names).flatMap((key) => given.get(key) ?? [])

/** The normalized names of a list, which is normalized once. */
export function keysOf(names: readonly string[]): readonly string[] {
  const known = keysByNames.get(names)
  if (known) return known
  const keys = names.map(fieldKey)
  keysByNames.set(names, keys)
  return keys
}

const keysByNames = new WeakMap<readonly string[], readonly string[]>()

/**
 * The normalized name of a parameter. Addresses copied from a web page have `&amp;` for `&`, and those put
 * together by hand a second question mark; no merchant has a parameter that begins with either.
 */
export const fieldKey = (name: string): string => parameterKey(name.replace(LEFTOVERS, ''))

const LEFTOVERS = /^(?:[\s\u200b\ufeff?&;]|#0*38;|#x26;|amp;)+|(?<![\s\u200b])[\s\u200b]+$/gi

export const isNamed = (given: string, name: string): boolean => fieldKey(given) === fieldKey(name)

const includesName = (names: readonly string[], name: string): boolean =>
  names.some((other) => isNamed(other, name))
