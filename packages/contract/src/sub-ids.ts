import { LONGEST_SUB, SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { filter, line } from './list.ts'

/**
 * The most counted clicks from which sub ids are read at once, in figures and in the click log: about a second. Totals don't
 * distinguish sub ids.
 */
export const MOST_CLICKS_BY_SUB = 500_000

/** The most entries of the sale log that a search by sub id compares with their clicks. */
export const MOST_SALES_BY_SUB = 100_000

/** The most values that figures by sub id have rows of their own for. */
export const MOST_SUB_ROWS = 1_000

export const subNameSchema = z.enum(SUB_NAMES)

/** The value of a sub id, as it is stored. */
export const subIdSchema = line(LONGEST_SUB)

/** Narrows figures and logs to a sub id of the clicks. */
export const subCriteria = {
  /** Which of the five. */
  sub: filter(subNameSchema),
  /** Its value, compared exactly. Left out or empty, with `sub`: clicks without that sub id. */
  subId: subIdSchema.nullish().transform((typed) => typed || undefined),
}

/** Refuses a value without the name of its sub id. */
export const subIsNamed = [
  ({ sub, subId }: { sub?: string | undefined; subId?: string | undefined }) =>
    subId === undefined || sub !== undefined,
  { path: ['subId'], message: 'needs sub, which says which of the five it is' },
] as const satisfies [unknown, { path: string[]; message: string }]

/** The sub ids of a click, as far as it has them. */
export const storedSubs = {
  sub1: subIdSchema.optional(),
  sub2: subIdSchema.optional(),
  sub3: subIdSchema.optional(),
  sub4: subIdSchema.optional(),
  sub5: subIdSchema.optional(),
} satisfies Record<SubName, z.ZodType>
