import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'

/**
 * Since when a payment pays what a statement added: its closing, or the beginning of the New York day until which it is
 * held.
 */
export const payableAt = (closedAt: RawBuilder<unknown>, paidFrom: RawBuilder<unknown>) =>
  sql`greatest(${closedAt}, ${paidFrom}::timestamp at time zone ${sql.lit(NEW_YORK)})`

/** When a run's money comes: on its execution date or, of a file that left after that, on the one that was chosen then. */
export const paymentDayOf = (run: RawBuilder<unknown>) => sql<Day>`coalesce(
  (select max(dated.execution_day) from payment_run_files as dated where dated.run_id = ${run}.id),
  ${run}.execution_day,
  (${run}.prepared_at at time zone ${sql.lit(NEW_YORK)})::date
)`
