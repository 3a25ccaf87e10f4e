/** The parameters of one postback as sent: one pair per occurrence of a name. */
export type Field = readonly [name: string, value: string]

/** A request body: one postback, or several that are answered individually. */
export type PostbackBody =
  | { kind: 'one'; fields: Field[] }
  | { kind: 'many'; items: (Field[] | undefined)[] }
  /** Malformed, or too many items. */
  | { kind: 'unreadable'; reason: string }

/** Maximum postbacks per request. */
const MAX_ITEMS = 1_000

/** Maximum parameters per postback. */
export const MAX_FIELDS = 200

/** Parses a query string or form. Malformed encoding is kept as text. */
export const readForm = (text: string): Field[] => [...new URLSearchParams(text)]

/** Parses a POST body. Without a content type that says otherwise, text that looks like JSON is parsed as JSON. */
export function readBody(contentType: string, text: string): PostbackBody {
  if (contentType.startsWith('multipart/')) {
    return { kind: 'unreadable', reason: 'Send forms as application/x-www-form-urlencoded.' }
  }
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(contentType)
  return isJson || (!isForm && /^\s*[[{]/.test(text))
    ? readJson(text)
    : { kind: 'one', fields: readForm(text) }
}

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

function readObject(json: unknown): Field[] | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  return Object.entries(json).flatMap(([name, value]: [string, unknown]): Field[] =>
    value === null || value === undefined ? [] : [[name, textOf(value)]],
  )
}

/** Lists and objects, which cannot be field values, become empty. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : '{…}'
