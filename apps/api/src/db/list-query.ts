import type { Operator } from '@tallyroom/contract/list'
import { type RawBuilder, sql } from 'kysely'

/** A parsed criterion. */
type Criterion = { field: string; operator: Operator; value: unknown }

/** Maps each searchable field to SQL. Field names from outside never become SQL. */
export type SearchColumns<C extends Criterion> = {
  [Field in C['field']]: (criterion: Extract<C, { field: Field }>) => RawBuilder<unknown>
}

/** All criteria combined into one condition. */
export function conditionOf<C extends Criterion>(
  criteria: readonly C[],
  columns: SearchColumns<C>,
): RawBuilder<unknown> {
  const conditions = criteria.map((criterion) => {
    // The contract only accepts declared fields, and each has a column.
    const column = columns[criterion.field as C['field']] as (c: C) => RawBuilder<unknown>
    return column(criterion)
  })
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/**
 * Whether a text contains another, case-insensitively. The search text may have outer `%`, as in the API; any
 * other `%`, `_` or backslash is literal.
 */
export function contains(column: RawBuilder<unknown>, searched: string): RawBuilder<boolean> {
  const pattern = `%${literal(bare(searched))}%`
  return sql<boolean>`lower(${column}) like lower(${pattern})`
}

/** Whether a text begins with another, case-insensitively. An index on `lower(…) collate "C"` answers it. */
export const startsWith = (column: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${column}) collate "C" like lower(${`${literal(beginning)}%`})`

/** Text as a pattern that matches only itself. */
const literal = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Removes the outer `%`. */
const bare = (searched: string) => searched.replace(/^%/, '').replace(/%$/, '')

/**
 * Columns for text search. There is no index: a few thousand rows are read in milliseconds, and not every
 * server has the trigram extension.
 */
export type TextSearch = {
  /** The main name, which breaks ties between matches. */
  name: RawBuilder<unknown>
  /** Other columns of the row itself. */
  own: readonly RawBuilder<unknown>[]
  /** The parent's name. Matches in it rank last. */
  other?: RawBuilder<unknown>
}

/** Whether every word of the text occurs somewhere in the row. */
export function isFound({ name, own, other }: TextSearch, searched: string): RawBuilder<unknown> {
  const words = bare(searched).split(/\s+/).filter(Boolean)
  const all = linesOf([name, ...own, ...(other ? [other] : [])])
  return words.length > 0
    ? sql.join(
        words.map((word) => sql`strpos(${all}, lower(${word})) > 0`),
        sql` and `,
      )
    : sql`true`
}

/**
 * Orders the best match first: the whole name, its beginning, the beginning of a word, then anywhere. Ties are
 * ordered by name.
 */
export function byMatch(
  { name, own }: TextSearch,
  criteria: readonly { field: string; value: unknown }[],
): RawBuilder<unknown>[] {
  const byName = sql`lower(${name}) collate "C"`
  const searched = criteria.find(({ field }) => field === 'text')?.value
  const text = typeof searched === 'string' ? bare(searched).trim() : ''
  if (text === '') return [byName]
  const lines = linesOf([name, ...own])
  const words = sql`translate(${lines}, '-_.@', '    ')`
  const rank = sql`case
    when lower(${name}) = lower(${text}) then 0
    when strpos(${lines}, chr(10) || lower(${text}) || chr(10)) > 0 then 1
    when strpos(${lines}, chr(10) || lower(${text})) > 0 then 2
    when strpos(${words}, ' ' || lower(${text})) > 0 then 3
    when strpos(${lines}, lower(${text})) > 0 then 4
    else 5
  end`
  return [rank, byName]
}

/** One column per line, in lower case. Search texts never contain line breaks. */
const linesOf = (columns: readonly RawBuilder<unknown>[]) =>
  sql`lower(chr(10) || concat_ws(chr(10), ${sql.join(columns)}) || chr(10))`

/** A case-insensitive text criterion: `=` for the whole text, `LIKE` for a part. */
export const matchesText =
  (column: RawBuilder<unknown>) =>
  ({ operator, value }: { operator: Operator; value: string }): RawBuilder<unknown> =>
    operator === '=' ? sql`lower(${column}) = lower(${value})` : contains(column, value)

/** Whether an address equals the given one or is in the given network (`10.0.0.0/8`). */
export const isFrom = (column: RawBuilder<unknown>, network: string): RawBuilder<boolean> =>
  network.includes('/')
    ? sql<boolean>`${column} <<= ${network}::inet`
    : sql<boolean>`${column} = ${network}::inet`

/** `limit` and `offset` for a page number that counts from 1. */
export const pageOf = ({ page, pageSize }: { page: number; pageSize: number }) =>
  sql`limit ${pageSize} offset ${(page - 1) * pageSize}`

export const direction = (ascending: boolean) => (ascending ? sql`asc` : sql`desc`)

/** Columns to order by, all in one direction. The last one must be unique, or pages would overlap. */
export const inOrder = (columns: readonly RawBuilder<unknown>[], ascending: boolean) =>
  sql.join(columns.map((column) => sql`${column} ${direction(ascending)}`))

/** Column names as an SQL list. Written at once: the builder takes longer for the columns of a sale than to compile the rest. */
export const columns = (names: readonly string[]) =>
  sql.raw(names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', '))
