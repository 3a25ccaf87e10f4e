import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'

/**
 * Since when a payment pays what a statement added: its closing, or the beginning of the New York day until which it is
 * held.
 */
export const payableAt = (closedAt: RawBuilder<unknown>, paidFrom: RawBuilder<unknown>) =>
  sql`greatest(${closedAt}, ${paidFrom}::timestamp at time zone ${sql.lit(NEW_YORK)})`

/** The name of the file that has a transfer; null before the approval, and in runs approved before lines knew it. */
const fileOf = (line: RawBuilder<unknown>) =>
  sql`(select has.name from payment_file_lines as has where has.run_line_id = ${line}.id)`

/** Whether a transfer is in the file of this name. One that doesn't know its file is in any of its run. */
export const isInFile = (line: RawBuilder<unknown>, name: RawBuilder<unknown>) =>
  sql<boolean>`coalesce(${fileOf(line)}, ${name}) = ${name}`

/** When the file of a transfer was first downloaded; null before. Of a line that doesn't know its file: any of the run's. */
export const sentAtOf = (line: RawBuilder<unknown>) => sql<Date | null>`(
  select min(download.made_at) from payment_file_downloads as download
  where download.run_id = ${line}.run_id and ${isInFile(line, sql`download.name`)}
)`

/** The bank's day of the same, as it was then. */
const sentDayOf = (line: RawBuilder<unknown>) => sql<Day | null>`(
  select min(coalesce(download.bank_day, (download.made_at at time zone ${sql.lit(NEW_YORK)})::date))
  from payment_file_downloads as download
  where download.run_id = ${line}.run_id and ${isInFile(line, sql`download.name`)}
)`

/**
 * When a transfer's money comes, where the bank is: on the day that its statement says, or as {@link expectedDayOf}.
 */
export const paymentDayOf = (line: RawBuilder<unknown>, run: RawBuilder<unknown>) => sql<Day>`
  coalesce(
    (select result.paid_on from payment_results as result where result.run_line_id = ${line}.id),
    ${expectedDayOf(line, run)}
  )
`

/**
 * When a transfer's money comes as long as no statement says it, the same for all transfers of a file: on the run's execution date, on the later one that was chosen for its file,
 * or on the day on which the file left after both.
 */
export const expectedDayOf = (line: RawBuilder<unknown>, run: RawBuilder<unknown>) => sql<Day>`
  greatest(
    coalesce(
      (
        select max(dated.execution_day) from payment_run_files as dated
        where dated.run_id = ${line}.run_id and dated.name = coalesce(${fileOf(line)}, dated.name)
      ),
      ${run}.execution_day,
      (${run}.prepared_at at time zone ${sql.lit(NEW_YORK)})::date
    ),
    ${sentDayOf(line)}
  )
`
