import { CLICK_ID_ALPHABET } from '@tallyroom/domain/click-id'
import { SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** A sub id of the clicks by its exact value; null: clicks without it. */
export type SubFilter = { name: SubName; value: string | null }

/**
 * Joins events with the clicks that they came from, as `click`, whose columns are null if no such click is stored. `events` is what
 * they are called in the statement.
 */
export const joinClick = (events: string): RawBuilder<unknown> => {
  const clickId = sql.ref(`${events}.click_id`)
  return sql`
    left join clicks as click
      on click.agent_id = ${sql.ref(`${events}.agent_id`)}
      and click.clicked_at = timestamptz 'epoch' + ${clickedAtMs(clickId)} * interval '1 millisecond'
      and click.nonce = ${nonce(clickId)}
  `
}

/** The time in a click id, in its first 44 bits: see the layout in `domain/click-id`. */
const clickedAtMs = (clickId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(${digits(clickId, { from: 0, to: 7, bits: 4 })} | (${digit(clickId, 8)} >> 1))`

/** The nonce in a click id: 25 bits, of which the first is the last one of the twentieth character. */
const nonce = (clickId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  ((${digit(clickId, 19)} & 1) << 24) | ${digits(clickId, { from: 20, to: 23, bits: 4 })} | (${digit(clickId, 24)} >> 1)
)`

/** Characters from a place to another, followed by `bits`. */
const digits = (
  clickId: RawBuilder<unknown>,
  { from, to, bits }: { from: number; to: number; bits: number },
) =>
  sql.join(
    Array.from(
      { length: to - from + 1 },
      (_, index) =>
        sql`(${digit(clickId, from + index)} << ${sql.lit(bits + 5 * (to - from - index))})`,
    ),
    sql` | `,
  )

/** Five bits. */
const digit = (clickId: RawBuilder<unknown>, place: number) =>
  sql`(strpos(${sql.lit(CLICK_ID_ALPHABET)}, substr(${clickId}, ${sql.lit(place + 1)}, 1)) - 1)::bigint`

/** Whether the click of an event is in the database, so that its sub ids are known. */
export const isStored = sql<boolean>`click.nonce is not null`

/** The value of a sub id in rows with `subs`; null without one. */
export const subOf = (name: SubName): RawBuilder<string | null> =>
  sql`subs[${sql.lit(SUB_NAMES.indexOf(name) + 1)}]`

/** Whether a row with `subs` has a sub id. `isKnown`: whether its click is stored. */
export const isOfSub = (
  { name, value }: SubFilter,
  isKnown: RawBuilder<unknown> = sql`true`,
): RawBuilder<boolean> =>
  value === null
    ? sql<boolean>`(${isKnown} and ${subOf(name)} is null)`
    : sql<boolean>`${subOf(name)} = ${value}`

/** The sales, bonuses and reversals of clicks with a sub id, in place of all `sale_events`. */
export const eventsOfSub = (sub: SubFilter): RawBuilder<unknown> => sql`(
  select sale_events.*
  from sale_events ${joinClick('sale_events')}
  where ${isOfSub(sub, isStored)}
)`

/**
 * For the rest of the transaction: an event leads to its click by the primary key. The planner overestimates what that costs in
 * many months, and would read all of their clicks instead.
 */
export async function planForSubs(tx: Tx): Promise<void> {
  await sql`set local enable_hashjoin = off`.execute(tx)
  await sql`set local enable_mergejoin = off`.execute(tx)
}
