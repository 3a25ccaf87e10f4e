/** Names and values of one postback as they were sent: one pair for each time that a name was given. */
export type Field = readonly [name: string, value: string]

/** What a request body holds: one postback, or several that are answered each on its own. */
export type PostbackBody =
  | { kind: 'one'; fields: Field[] }
  | { kind: 'many'; items: (Field[] | undefined)[] }
  /** Not what it says it is, or too many. */
  | { kind: 'unreadable'; reason: string }

/** The most postbacks that one request may bring. */
const MAX_ITEMS = 1_000

/** The most names and values that one postback may have. */
export const MAX_FIELDS = 200

/** Of a query string or a form. Text that is not well encoded is taken as it stands. */
export const readForm = (text: string): Field[] => [...new URLSearchParams(text)]

/** Of a POST. Without a content type that says otherwise, what looks like JSON is read as JSON. */
export function readBody(contentType: string, text: string): PostbackBody {
  if (contentType.startsWith('multipart/')) {
    return { kind: 'unreadable', reason: 'Send a form as application/x-www-form-urlencoded.' }
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
    return { kind: 'unreadable', reason: 'The body is not JSON.' }
  }
  if (!Array.isArray(json)) {
    const fields = readObject(json)
    return fields
      ? { kind: 'one', fields }
      : { kind: 'unreadable', reason: 'The body must be a JSON object, or an array of them.' }
  }
  return json.length > MAX_ITEMS
    ? { kind: 'unreadable', reason: `At most ${MAX_ITEMS} postbacks may come at once.` }
    : { kind: 'many', items: json.map(readObject) }
}

/** Order numbers can have more digits than a number can hold: two orders would become one. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}

function readObject(json: unknown): Field[] | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  return Object.entries(json).flatMap(([name, value]: [string, unknown]): Field[] =>
    value === null || value === undefined ? [] : [[name, textOf(value)]],
  )
}

/** A list or object, which no field can be, matches nothing. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : '{…}'
