import { isSecretName, REMOVED, withoutSecrets } from '../../lib/secret-names.ts'
import type { Field } from './postback-fields.ts'

const MAX_NAMES = 100
const MAX_NAME_LENGTH = 100
const MAX_VALUE_LENGTH = 500

/**
 * What is kept of the parameters: readable, bounded, without secrets. Whatever has a secret's name goes, and so does
 * its value, or one of the site's secrets, wherever else it stands.
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

/** Text that can be kept and shown. PostgreSQL's JSON holds neither NUL nor half of a surrogate pair. */
export function printable(text: string, maxLength: number): string {
  const shown = text.toWellFormed().replace(CONTROL, '\ufffd')
  return shown.length > maxLength ? `${shown.slice(0, maxLength).toWellFormed()}…` : shown
}

// oxlint-disable-next-line no-control-regex -- what can't be shown is what is replaced
const CONTROL = /[\u0000-\u001f\u007f]/g
