import type { z } from 'zod'
import { filter, idSchema } from './list.ts'
import { daySchema } from './statistics.ts'

/** What every log can be narrowed by. */
export const logCriteria = {
  companyId: filter(idSchema),
  agentId: filter(idSchema),
  /** New York days, both inclusive; either may be left out. */
  start: filter(daySchema),
  end: filter(daySchema),
}

/** Refuses a range that ends before it begins. */
export const inOrder = <
  Schema extends z.ZodType<{ start?: string | undefined; end?: string | undefined }>,
>(
  schema: Schema,
) =>
  schema.refine(({ start, end }) => start === undefined || end === undefined || start <= end, {
    path: ['start'],
    message: 'Date Range is not valid',
  })
