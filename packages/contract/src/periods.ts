import { isDay } from '@tallyroom/domain/new-york'
import { INVALID_RANGE_MESSAGE, PERIOD_LENGTHS } from '@tallyroom/domain/periods'
import { z } from 'zod'

/** A New York calendar day, `YYYY-MM-DD`. */
export const daySchema = z.string().refine(isDay, 'must be a day, YYYY-MM-DD')

/** Far beyond anybody's events, and far enough from the calendar's ends to count periods before and after. */
export const reportDaySchema = daySchema.refine(
  (day) => day >= '1900-01-01' && day <= '2199-12-31',
  'must be between 1900 and 2199',
)

/** For `refine`: a range that does not stand the wrong way round. An end that is left out is no wrong one. */
export const startsBeforeItEnds = [
  ({ start, end }: { start?: string | undefined; end?: string | undefined }) =>
    start === undefined || end === undefined || start <= end,
  { path: ['start'], message: INVALID_RANGE_MESSAGE },
] as const satisfies [unknown, { path: string[]; message: string }]

const rangeFields = { start: reportDaySchema, end: reportDaySchema }

/** Days of a report, both ends inclusive. */
export const rangeSchema = z.strictObject(rangeFields).refine(...startsBeforeItEnds)

/** The same fields within a larger request; refine it by {@link startsBeforeItEnds}. */
export const withRange = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...rangeFields, ...fields })

/** A period of an answer: its days and what kind of period it is. */
export const periodSchema = z.object({
  start: z.string(),
  end: z.string(),
  periodLength: z.enum(PERIOD_LENGTHS),
})
