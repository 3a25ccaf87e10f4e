import { DEFAULT_CLICK_PARAM, parameterKey } from '@tallyroom/domain/tracked-link'
import type { Field } from './postback-fields.ts'

/** How a site's merchant names what it sends. */
export type NameDialect = {
  /** Its own name for the click id; empty: none. */
  clickParam: string
  /** Whether `transaction_id` means the click, as in TUNE and Everflow. */
  transactionIdIsClick: boolean
}

/**
 * By what names each field may come, the first that has a value counting. Names that other systems also use for
 * something else stand last. A site's click parameter is nothing else.
 */
export function fieldNamesOf({ clickParam, transactionIdIsClick }: NameDialect) {
  const own = clickParam === '' ? [] : [clickParam]
  const click = [...own, ...(transactionIdIsClick ? ['transaction_id'] : [])]
  const others = (...names: string[]) => names.filter((name) => !includesName(click, name))
  return {
    click_id: [...click, ...others(DEFAULT_CLICK_PARAM, 'clickid', 'cid', 'subid')],
    transaction_id: others(
      'transaction_id',
      'txid',
      'tid',
      'order_id',
      'adv_order_id',
      'invoice_id',
      'action_id',
      'external_id', // the customer, for some
    ),
    event: others(
      'event',
      'event_name',
      'adv_event_id',
      // Elsewhere it is the number of one message, by which it is known again.
      ...(transactionIdIsClick ? ['event_id'] : []),
      'goal',
      'goal_alias',
      'goal_name',
      'goal_id',
      'et',
      'action_code',
      'status',
      'conv_status',
    ),
    type: others('type'),
    email: others('email', 'customer_email'),
    time: others('time', 'event_time'),
    reverses: others('reverses'),
  }
}

/** What was given for the first of these names that has any value: its different values. */
export type ReadValues = (names: readonly string[]) => string[]

/** Reads fields by name. `OrderID`, `orderId`, `order_id` and `order-id` are one name. */
export function valuesOf(fields: readonly Field[]): ReadValues {
  const values = new Map<string, Set<string>>()
  for (const [name, text] of fields) {
    const key = parameterKey(name)
    const value = text.trim()
    if (value === '') continue
    const known = values.get(key)
    if (known) known.add(value)
    else values.set(key, new Set([value]))
  }
  return (names) => {
    const first = names.map(parameterKey).find((key) => values.has(key))
    return first === undefined ? [] : [...(values.get(first) ?? [])]
  }
}

/** Whether two names are one. */
export const isNamed = (given: string, name: string): boolean =>
  parameterKey(given) === parameterKey(name)

const includesName = (names: readonly string[], name: string): boolean =>
  names.some((other) => isNamed(other, name))
