import {
  BOOKED_KINDS,
  COUNTED_KINDS,
  type CountedKind,
  EVENT_TYPE,
  type EventKind,
  type EventType,
} from '@tallyroom/domain/event-types'
import { type RawBuilder, sql } from 'kysely'

/** The event types in SQL, by kind. As literals, because the planner chooses by them. */
export const typeOf = {
  sale: sql.lit(EVENT_TYPE.sale),
  bonus: sql.lit(EVENT_TYPE.bonus),
  click: sql.lit(EVENT_TYPE.click),
} as const satisfies Record<EventKind, RawBuilder<EventType>>

const listOf = (kinds: readonly EventKind[]) =>
  sql`(${sql.join(kinds.map((kind) => typeOf[kind]))})`

/** The event types of what counts, for the query builder. */
export const countedNumbers: EventType[] = COUNTED_KINDS.map((kind) => EVENT_TYPE[kind])

/** The event types of what counts, to stand behind `in`. */
export const countedTypes = listOf(COUNTED_KINDS)

/** The event types of what statements pay, to stand behind `in`. */
export const bookedTypes = listOf(BOOKED_KINDS)

/** A value for each kind that counts; null for the others. */
export const byCountedType = (
  column: RawBuilder<unknown>,
  values: Record<CountedKind, RawBuilder<unknown>>,
): RawBuilder<unknown> => {
  // Conditions, because Citus changes a case of values in an insert.
  const cases = COUNTED_KINDS.map(
    (kind) => sql`when ${column} = ${typeOf[kind]} then ${values[kind]}`,
  )
  return sql`case ${sql.join(cases, sql` `)} end`
}

/** The sale that an event is about, by the name of its row in the statement; null for a sale. */
export const aboutSale = (row: 'event' | 'page') =>
  sql`coalesce(${sql.ref(`${row}.of_sale`)}, ${sql.ref(`${row}.reverses`)}, ${sql.ref(`${row}.adjusts`)})`
