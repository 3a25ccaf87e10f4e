import { isSecretName, REMOVED, withoutSecrets } from '../../lib/secret-names.ts'
import type { Field } from './field.ts'

const MAX_NAMES = 100
const MAX_NAME_LENGTH = 100
const MAX_VALUE_LENGTH = 500

/**
 * The parameters for storing: readable, bounded, and without secrets. Removes fields with secret names, and
 * other occurrences of their values or of the site's secrets.
 */
export function keptFields(
  fields: readonly Field[],
  secrets: readonly string[],
): Record<string, string> {
  const kept = fields.slice(0, MAX_NAMES)
  const isSecret = secretFields(kept)
  const named = kept.filter(isSecret).map(([, value]) => value)
  const known = [...secrets, ...named]
  return Object.fromEntries(
    kept.map((field): [string, string] => {
      const [name, value] = field
      return [
        printable(withoutSecrets(name, known), MAX_NAME_LENGTH),
        isSecret(field) ? REMOVED : printable(withoutSecrets(value, known), MAX_VALUE_LENGTH),
      ]
    }),
  )
}

/** What a merchant is told of a field that has the site's key. */
export const IS_KEY = 'is the site’s key'

/** The fields for reading: where one has a secret of the site's, as a template with the wrong macro sends it, nothing is read. */
export const withoutKeys = (fields: readonly Field[], secrets: readonly string[]): Field[] =>
  fields.map(([name, value]) => [withoutKey(name, secrets), withoutKey(value, secrets)])

const withoutKey = (text: string, secrets: readonly string[]): string =>
  secrets.some((secret) => text.includes(secret)) ? REMOVED : text

/** In a list of names and values, as shops have for attributes, a value is a secret by the name beside it. */
function secretFields(fields: readonly Field[]): (field: Field) => boolean {
  const pairs = new Map(
    fields.flatMap(([name, value]): [string, string][] => {
      const [, pair] = NAME_IN_PAIR.exec(name) ?? []
      return pair === undefined ? [] : [[`${pair}.value`, value]]
    }),
  )
  return ([name]) => (NAME_IN_PAIR.test(name) ? false : isSecretName(pairs.get(name) ?? name))
}

const NAME_IN_PAIR = /^(\w{1,40}\.\d{1,4})\.(?:key|name|attribute_code)$/

/** Text that can be stored and shown. PostgreSQL's JSON supports neither NUL nor lone surrogates. */
export function printable(text: string, maxLength: number): string {
  const shown = text.toWellFormed().replace(CONTROL, '\ufffd')
  return shown.length > maxLength ? `${shown.slice(0, maxLength).toWellFormed()}…` : shown
}

// oxlint-disable-next-line no-control-regex -- replacing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/g
