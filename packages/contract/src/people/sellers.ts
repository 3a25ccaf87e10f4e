import { z } from 'zod'
import { dateRangeSchema, daySchema } from '../periods.ts'

/** How many days the figures of a list of sellers cover, today included. */
export const SELLER_DAYS = 30

const sellerSumsSchema = z.object({
  /** All that count. */
  clicks: z.int(),
  /** Less reversals. */
  sales: z.int(),
  /** Minor units of each currency. Left out for those who may not see payouts. */
  earned: z.object({ PHP: z.int(), USD: z.int() }).optional(),
})

/** What an agent or office sold in the days of `sellerDays`, and in as many days before. */
export const sellerFiguresSchema = sellerSumsSchema.extend({
  before: sellerSumsSchema,
  /** The last of all these days on which more was sold than taken back; null if there is none. */
  lastSaleDay: daySchema.nullable(),
})
export type SellerFigures = z.infer<typeof sellerFiguresSchema>

/** The days of the figures, and of those that they are compared with. */
export const sellerDaysSchema = dateRangeSchema.extend({
  before: dateRangeSchema,
  /**
   * What `earned` consists of: what rates and bonuses pay, or, once pay is on, what tiers pay as well, instead of rates or
   * on top as the settings say. Left out where `earned` is.
   */
  earnedBy: z.enum(['rates', 'rates and tiers']).optional(),
})
export type SellerDays = z.infer<typeof sellerDaysSchema>
