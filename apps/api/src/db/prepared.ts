import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* prepared */'

/**
 * Marks a frequent statement, which each session then parses and plans only once. Sessions keep every prepared
 * statement, so the text must be one of a few: no lists of varying length.
 *
 *     sql`${prepared} select …`   or   db.selectFrom(…).modifyFront(prepared)
 */
export const prepared = sql.raw(mark)

/** Makes a session prepare marked statements. */
export function prepareMarked(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown // collapses eight overloads
  const asNamed = (text: unknown, values: unknown, ...rest: unknown[]): unknown =>
    typeof text === 'string' && Array.isArray(values) && text.includes(mark)
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = asNamed as typeof client.query // the same overloads
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
