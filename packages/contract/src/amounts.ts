import { toMinorUnits } from '@tallyroom/domain/money'
import { z } from 'zod'
import { mustBe } from './missing.ts'

/** Far above any real rate, and low enough that sums over millions of sales stay exact. */
export const HIGHEST_RATE = 1_000_000

/** Maximum points per sale, so that a month of sales fits the totals’ 32-bit sums. */
const HIGHEST_LPP = 10_000

/** Earning or payout per sale, in dollars or pesos, with at most two decimal places. */
export const rateSchema = z
  .number(mustBe('an amount'))
  .min(0, 'must not be negative')
  .max(HIGHEST_RATE, 'must be at most 1,000,000')
  .refine((amount) => toMinorUnits(amount) !== undefined, 'must have at most 2 decimal places')

/** Points per sale. */
export const lppSchema = z
  .int(mustBe('a whole number'))
  .min(0, 'must not be negative')
  .max(HIGHEST_LPP, 'must be at most 10,000')

/** The rates of a sale and of its bonus, each of which may be left out. */
export const givenRates = {
  earning: rateSchema.optional(),
  payout: rateSchema.optional(),
  lpp: lppSchema.optional(),
  bonusEarning: rateSchema.optional(),
  bonusPayout: rateSchema.optional(),
  bonusLpp: lppSchema.optional(),
}
