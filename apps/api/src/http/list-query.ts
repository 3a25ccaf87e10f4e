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
  const text = searched.replace(/^%/, '').replace(/%$/, '')
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`lower(${column}) like lower(${pattern})`
}

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
