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
  const named = kept.filter(([name]) => isSecretName(name)).map(([, value]) => value)
  const known = [...secrets, ...named]
  return Object.fromEntries(
    kept.map(([name, value]): [string, string] => [
      printable(withoutSecrets(name, known), MAX_NAME_LENGTH),
      isSecretName(name) ? REMOVED : printable(withoutSecrets(value, known), MAX_VALUE_LENGTH),
    ]),
  )
}

/** Text that can be stored and shown. PostgreSQL's JSON supports neither NUL nor lone surrogates. */
export function printable(text: string, maxLength: number): string {
  const shown = text.toWellFormed().replace(CONTROL, '\ufffd')
  return shown.length > maxLength ? `${shown.slice(0, maxLength).toWellFormed()}…` : shown
}

// oxlint-disable-next-line no-control-regex -- replacing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/g
