import type { Field } from './postback-fields.ts'

const MAX_NAMES = 100
const MAX_NAME_LENGTH = 100
const MAX_VALUE_LENGTH = 500

/**
 * What is kept of the parameters: readable, bounded, without secrets. A value that is one of the site's
 * secrets goes, whatever its name, and so does whatever has a secret's name.
 */
export function keptParams(
  fields: readonly Field[],
  secrets: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    fields
      .slice(0, MAX_NAMES)
      .map(([name, value]): [string, string] => [
        printable(name, MAX_NAME_LENGTH),
        SECRET_NAME.test(inWords(name)) || secrets.some((secret) => value.includes(secret))
          ? '[removed]'
          : printable(value, MAX_VALUE_LENGTH),
      ]),
  )
}

/** `postbackKey` as `postback_Key`: where a word begins with a capital. */
const inWords = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')

/** `key` and what other systems call theirs; not words that only contain it, such as `keyword`. */
const SECRET_NAME =
  /(^|[^a-z])(api)?[_-]?key$|secret|token|passw|signature|^sig$|^secure$|authorization/i

/** Text that can be kept and shown. PostgreSQL's JSON holds neither NUL nor half of a surrogate pair. */
export function printable(text: string, maxLength: number): string {
  const shown = text.toWellFormed().replace(CONTROL, '\ufffd')
  return shown.length > maxLength ? `${shown.slice(0, maxLength).toWellFormed()}…` : shown
}

// oxlint-disable-next-line no-control-regex -- what can't be shown is what is replaced
const CONTROL = /[\u0000-\u001f\u007f]/g
