import { isDay } from '@tallyroom/domain/new-york'
import { INVALID_RANGE_MESSAGE, PERIOD_LENGTHS } from '@tallyroom/domain/periods'
import { z } from 'zod'

/** A New York calendar day, `YYYY-MM-DD`. */
export const daySchema = z.string().refine(isDay, 'must be a day, YYYY-MM-DD')

/** A day that a report accepts. The bounds leave room for period arithmetic on both sides. */
export const reportDaySchema = daySchema.refine(
  (day) => day >= '1900-01-01' && day <= '2199-12-31',
  'must be between 1900 and 2199',
)

/** Arguments for `refine`: `start` must not be after `end`. Either may be omitted. */
export const startsBeforeItEnds = [
  ({ start, end }: { start?: string | undefined; end?: string | undefined }) =>
    start === undefined || end === undefined || start <= end,
  { path: ['start'], message: INVALID_RANGE_MESSAGE },
] as const satisfies [unknown, { path: string[]; message: string }]

const rangeFields = { start: reportDaySchema, end: reportDaySchema }

/** The days of a report, both inclusive. */
export const rangeSchema = z.strictObject(rangeFields).refine(...startsBeforeItEnds)

/** The same, as answers name periods: with a length, which is ignored. */
export const askedPeriodSchema = z
  .strictObject({ ...rangeFields, periodLength: z.enum(PERIOD_LENGTHS).nullish() })
  .transform(({ start, end }) => ({ start, end }))
  .refine(...startsBeforeItEnds)

/** The same fields as part of a larger request. Refine it with {@link startsBeforeItEnds}. */
export const withRange = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...rangeFields, ...fields })

/** The days of an answer, both inclusive. */
export const dateRangeSchema = z.object({ start: daySchema, end: daySchema })

export const periodSchema = z.object({
  start: z.string(),
  end: z.string(),
  periodLength: z.enum(PERIOD_LENGTHS),
})
