import { inSentence } from '@tallyroom/domain/invisible'
import { isSecretName } from '../../lib/secret-names.ts'
import type { Field } from './field.ts'
import {
  fieldKey,
  fieldNamesOf,
  type FieldNames,
  givenFields,
  keysOf,
  type NameDialect,
} from './field-names.ts'
import { printable } from './kept-fields.ts'
import { wordsOf } from './takes-back.ts'

/**
 * The names of the free parameters in which a postback differs from another one of its click, as sent and fit for a
 * sentence. Both are as kept. A parameter is free if it is not read, and says neither when a request was made nor which
 * try it was: orders differ in these, retries do not.
 *
 * @param isConfirmation whether it says with a status that an order counts: then it may leave out what was said before.
 */
export function differingNames(
  postback: unknown,
  other: unknown,
  dialect: NameDialect,
  isConfirmation: boolean,
): string[] {
  const [given, former] = [freeOf(postback, dialect), freeOf(other, dialect)]
  const keys = isConfirmation ? given.keys() : new Set([...given.keys(), ...former.keys()])
  return [...keys].flatMap((key) => {
    const [mine, its] = [given.get(key), former.get(key)]
    const name = (mine ?? its)?.name ?? key
    return mine?.value === its?.value ? [] : [inSentence(printable(name, 40))]
  })
}

function freeOf(kept: unknown, dialect: NameDialect) {
  const names = fieldNamesOf(dialect)
  const settings = new Set((dialect.tracker?.settings ?? []).map(fieldKey))
  const free = new Map<string, { name: string; value: string }>()
  for (const [key, { name, values }] of givenFields(fieldsOfKept(kept))) {
    const value = values.join(' ')
    if (settings.has(key) || READ.some((field) => keysOf(names[field]).includes(key))) continue
    if (isSecretName(name) || isOfRequest(name) || ISO_TIME.test(value)) continue
    free.set(key, { name, value })
  }
  return free
}

/** Fields that say what a report is. An email address and an order number say which order. */
const READ = [
  'click_id',
  'event',
  'status',
  'type',
  'time',
  'reverses',
] as const satisfies readonly (keyof FieldNames)[]

/** The parameters of a kept postback. */
export const fieldsOfKept = (params: unknown): Field[] =>
  Object.entries(typeof params === 'object' && params !== null ? params : {}).map(
    ([name, value]: [string, unknown]) => [name, String(value)],
  )

/** Whether a name is about the request: its time, its signature, its number of tries, or who sent it. */
export function isOfRequest(name: string): boolean {
  const words = wordsOf(name)
  const [last = '', before = ''] = words.toReversed()
  const isNumber = last === 'id' || last === 'number' || last === 'count' || last === 'no'
  return (
    words.length === 0 ||
    OF_REQUEST.has(last) ||
    WHOLE_NAMES.has(words.join('')) ||
    (isNumber && COUNTED.has(before))
  )
}

const OF_REQUEST = new Set(
  (
    'at date time datetime timestamp ts now sent sign checksum nonce salt rand random rnd cb cachebuster ' +
    'attempt attempts retry retries try tries resend ip ua useragent'
  ).split(' '),
)

/** Part of another name, a hash may be that of a payment. */
const WHOLE_NAMES = new Set(['hash', 'useragent', 'ipaddress'])

/** With a number: `request_id`, `retry_count`. */
const COUNTED = new Set('request delivery attempt retry try trace correlation webhook'.split(' '))

const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
