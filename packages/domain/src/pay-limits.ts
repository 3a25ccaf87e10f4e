import type { Currency } from './pay.ts'

/** Adjustments above this wait for a second person, until two people choose other limits. In centavos and in cents. */
export const ADJUSTMENT_LIMITS: Readonly<Record<Currency, number>> = { PHP: 10_000_00, USD: 200_00 }

/**
 * A payee's limit in one currency, and what one person alone has adjusted that is on no statement yet: what was added and
 * what was subtracted, both as positive sums.
 */
export type AdjustmentLimit = { limit: number; added: number; subtracted: number }

/**
 * Whether an adjustment waits for a second person. Those of the same sign add up, so that several small ones don't pass
 * for one large one, and opposite ones don't make room for each other.
 */
export const isAboveLimit = (
  amount: number,
  { limit, added, subtracted }: AdjustmentLimit,
): boolean => (amount > 0 ? added + amount : subtracted - amount) > limit

/** An exchange rate that differs by more percent than this from that of the period before waits for a second person. */
export const MOST_RATE_PERCENT = 5

/** @param pesosE4 ten-thousandths of a peso for a dollar, as `last` */
export const differsMuch = (pesosE4: number, last: number): boolean =>
  Math.abs(pesosE4 - last) * 100 > last * MOST_RATE_PERCENT
