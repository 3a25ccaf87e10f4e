import { INVALID_RANGE_MESSAGE, PERIOD_LENGTHS } from '@tallyroom/domain/periods'
import { z } from 'zod'
import { reportDaySchema } from './statistics.ts'

const rangeFields = { start: reportDaySchema, end: reportDaySchema }

/** Whether the days do not stand the wrong way round: refines objects with the range's fields, with {@link outOfOrder}. */
export const isInOrder = ({ start, end }: { start: string; end: string }): boolean => start <= end

export const outOfOrder = { path: ['start'], message: INVALID_RANGE_MESSAGE }

/** Days of a report, both ends inclusive. */
export const rangeSchema = z.strictObject(rangeFields).refine(isInOrder, outOfOrder)

/** The same fields within a larger request; refine it by {@link isInOrder}. */
export const withRange = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...rangeFields, ...fields })

/** A period of an answer: its days and what kind of period it is. */
export const periodSchema = z.object({
  start: z.string(),
  end: z.string(),
  periodLength: z.enum(PERIOD_LENGTHS),
})
