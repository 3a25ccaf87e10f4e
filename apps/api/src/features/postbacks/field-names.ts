import { DEFAULT_CLICK_PARAM, parameterKey } from '@tallyroom/domain/tracked-link'
import type { Field } from './postback-fields.ts'

/** The parameter names of a site's merchant. */
export type NameDialect = {
  /** The site's parameter name for the click id; may be empty. */
  clickParam: string
  /** Whether `transaction_id` is the click id, as with TUNE and Everflow. */
  transactionIdIsClick: boolean
}

/**
 * The accepted names of each field; the first one with a value counts. Names with other meanings in other
 * systems come last. A site's click parameter is reserved for the click id.
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
      'external_id', // a customer in some systems
    ),
    event: others(
      'event',
      'event_name',
      'adv_event_id',
      // In other systems it is the number of a message.
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

/** The distinct values of the first of these names that has any. */
export type ReadValues = (names: readonly string[]) => string[]

/** Reads fields by name. `OrderID`, `orderId`, `order_id` and `order-id` are equal. */
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

export const isNamed = (given: string, name: string): boolean =>
  parameterKey(given) === parameterKey(name)

const includesName = (names: readonly string[], name: string): boolean =>
  names.some((other) => isNamed(other, name))
