import { isPayPeriodName } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { required } from '../../list.ts'
import { daySchema } from '../../periods.ts'

/*
 * Amounts in pay are integers of minor units: centavos, cents, or those of the `currency` beside
 * them. Exchange rates are ten-thousandths of a peso per dollar: 58.25 is 582500.
 */

/** A pay period by name: a half-month, week or month. */
export const periodNameSchema = z
  .string()
  .refine(isPayPeriodName, 'must be a period, such as 2026-11-A, 2026-W48 or 2026-11')

export const payPeriodSchema = z.object({ name: z.string(), start: daySchema, end: daySchema })

export const exchangeRateSchema = z.object({
  pesosE4: z.int().positive(),
  source: z.string(),
  setBy: z.string().nullable(),
})

/** An exchange rate as it is entered, in ten-thousandths of a peso for a dollar, and where it comes from. */
export const rateFields = {
  pesosE4: z
    .int()
    .min(10_000, 'must be at least 1 peso')
    .max(10_000_000, 'must be at most 1,000 pesos'),
  source: required(200),
}
