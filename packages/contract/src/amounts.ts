import { toMinorUnits } from '@tallyroom/domain/money'
import { z } from 'zod'

/** Far above any rate, and low enough that sums of millions of sales stay exact. */
export const HIGHEST_RATE = 1_000_000

/** The highest points of one sale: a month of sales must fit the totals’ 32-bit sums. */
export const HIGHEST_LPP = 10_000

/** What one sale earns or pays out: dollars or pesos, at most two decimal places. */
export const rateSchema = z
  .number('must be an amount')
  .min(0, 'must not be negative')
  .max(HIGHEST_RATE, 'must be at most 1,000,000')
  .refine((amount) => toMinorUnits(amount) !== undefined, 'must have at most 2 decimal places')

/** The points that one sale is worth. */
export const lppSchema = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(HIGHEST_LPP, 'must be at most 10,000')
