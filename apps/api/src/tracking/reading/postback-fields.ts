import { OBJECT } from '@tallyroom/domain/placeholders'
import type { Field } from './field.ts'
import { readMultipart } from './multipart.ts'
import { charsetOf, readEncoded, readText } from './read-text.ts'

/** A request body: one postback, or several that are answered individually. */
export type PostbackBody =
  | { kind: 'one'; fields: Field[] }
  | { kind: 'many'; items: (Field[] | undefined)[] }
  /** Malformed, or too many items. */
  | { kind: 'unreadable'; reason: string; status?: 400 | 413 | 415 }

/** Maximum postbacks per request. */
const MAX_ITEMS = 1_000

/** Maximum parameters per postback, without those inside objects. */
export const MAX_FIELDS = 200

/** Objects inside objects are read this far. */
const MAX_DEPTH = 8

/** Parses a query string as it came over the wire: a character for each byte. Malformed encoding is kept as text. */
export const readForm = (query: string, charset?: string): Field[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [readEncoded(name, charset), readEncoded(value, charset)]
    })

/**
 * Parses a POST body. Its bytes say what it is, as senders often name another content type or none: an object or
 * list is JSON, a boundary begins a multipart form, and anything else is a form.
 */
export function readBody(contentType: string, body: Buffer): PostbackBody {
  if (body.length === 0) return { kind: 'one', fields: [] }
  const charset = charsetOf(contentType)
  const type = contentType.toLowerCase()
  const parts = readMultipart(body, charset)
  if (parts) return { kind: 'one', fields: parts }
  if (type.startsWith('multipart/')) {
    return { kind: 'unreadable', reason: 'The body is not a valid multipart form.' }
  }
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  if (
    /^application\/([\w.-]+\+)?json\b/.test(type) ||
    LOOKS_LIKE_JSON.test(body.toString('latin1', 0, 200))
  ) {
    const json = readJson(readText(body, charset).replace(/^\ufeff/, ''))
    // curl says that what it sends is a form, unless told otherwise.
    if (!isForm || json.kind !== 'unreadable') return json
  }
  const text = body.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  return { kind: 'one', fields: readForm(text.trim(), charset) }
}

const LOOKS_LIKE_JSON = /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/

function readJson(text: string): PostbackBody {
  let json: unknown
  try {
    json = JSON.parse(text, keepDigits)
  } catch {
    return { kind: 'unreadable', reason: 'The body is not valid JSON.' }
  }
  if (!Array.isArray(json)) {
    const fields = readObject(json)
    return fields
      ? { kind: 'one', fields }
      : { kind: 'unreadable', reason: 'The body must be a JSON object or an array of objects.' }
  }
  return json.length > MAX_ITEMS
    ? { kind: 'unreadable', reason: `At most ${MAX_ITEMS} postbacks are allowed per request.` }
    : { kind: 'many', items: json.map(readObject) }
}

/** Order numbers may exceed the precision of a number, which would merge two orders. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}

/** What is inside objects and lists follows with its path as name, such as `data.order_id`. */
function readObject(json: unknown): Field[] | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const inside: Field[] = []
  const fields = Object.entries(json).flatMap(([name, value]: [string, unknown]): Field[] => {
    if (value === null || value === undefined) return []
    collect(name, value, 1, inside)
    return [[name, isScalar(value) ? String(value) : OBJECT]]
  })
  return [...fields, ...inside]
}

function collect(path: string, value: unknown, depth: number, into: Field[]): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  for (const [name, inner] of Object.entries(value)) {
    if (isScalar(inner)) into.push([`${path}.${name}`, String(inner)])
    else collect(`${path}.${name}`, inner, depth + 1, into)
  }
}

const isScalar = (value: unknown): value is string | boolean =>
  typeof value === 'string' || typeof value === 'boolean'
