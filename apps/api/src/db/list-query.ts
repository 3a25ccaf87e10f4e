import type { Operator } from '@tallyroom/contract/list'
import { sql, type RawBuilder } from 'kysely'

/** What a criterion of the wire looks like once parsed. */
type Criterion = { field: string; operator: Operator; value: unknown }

/** Makes SQL of each field that a list can be searched by. A field's name from outside never becomes SQL. */
export type SearchColumns<C extends Criterion> = {
  [Field in C['field']]: (criterion: Extract<C, { field: Field }>) => RawBuilder<unknown>
}

/** All criteria together, as one condition. */
export function conditionOf<C extends Criterion>(
  criteria: readonly C[],
  columns: SearchColumns<C>,
): RawBuilder<unknown> {
  const conditions = criteria.map((criterion) => {
    // The contract let only declared fields through, and there is a column for each.
    const column = columns[criterion.field as C['field']] as (c: C) => RawBuilder<unknown>
    return column(criterion)
  })
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/**
 * Whether a text holds another, without regard to case. The searched text may come between outer `%`, as
 * the wire writes it; any other `%`, `_` or backslash is an ordinary character.
 */
export function contains(column: RawBuilder<unknown>, searched: string): RawBuilder<boolean> {
  const pattern = `%${bare(searched).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`lower(${column}) like lower(${pattern})`
}

/** Without the outer `%` of the wire. */
const bare = (searched: string) => searched.replace(/^%/, '').replace(/%$/, '')

/**
 * What a list is searched by when it is searched by text. No index: all of a few thousand rows are read in a few
 * milliseconds, and trigrams are an extension that not every server has.
 */
export type TextSearch = {
  /** What a row is called first, by which equal matches are ordered. */
  name: RawBuilder<unknown>
  /** What else is its own. */
  own: readonly RawBuilder<unknown>[]
  /** What it belongs to: found by it, but after those that are called so. */
  other?: RawBuilder<unknown>
}

/** Whether each word of a text is somewhere in a row. */
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

/** Orders the best match first: the whole name, its beginning, that of a word, then anywhere; equal ones by name. */
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

/** Each on a line of its own, in lower case. No text that is searched for has a line break. */
const linesOf = (columns: readonly RawBuilder<unknown>[]) =>
  sql`lower(chr(10) || concat_ws(chr(10), ${sql.join(columns)}) || chr(10))`

/** A text field's criterion without regard to case: `=` for the whole text, `LIKE` for a part of it. */
export const matchesText =
  (column: RawBuilder<unknown>) =>
  ({ operator, value }: { operator: Operator; value: string }): RawBuilder<unknown> =>
    operator === '=' ? sql`lower(${column}) = lower(${value})` : contains(column, value)

/** Whether an address is the one given, or within the network given (`10.0.0.0/8`). */
export const isFrom = (column: RawBuilder<unknown>, network: string): RawBuilder<boolean> =>
  network.includes('/')
    ? sql<boolean>`${column} <<= ${network}::inet`
    : sql<boolean>`${column} = ${network}::inet`

/** `limit` and `offset` of a page that counts from 1. */
export const pageOf = ({ page, pageSize }: { page: number; pageSize: number }) =>
  sql`limit ${pageSize} offset ${(page - 1) * pageSize}`

/** A direction as SQL. */
export const direction = (ascending: boolean) => (ascending ? sql`asc` : sql`desc`)

/** Columns to order by, all in one direction. The last one is unique, or pages of one list would share rows. */
export const inOrder = (columns: readonly RawBuilder<unknown>[], ascending: boolean) =>
  sql.join(columns.map((column) => sql`${column} ${direction(ascending)}`))
