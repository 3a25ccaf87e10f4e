import { formatDollars, formatPesos } from '@tallyroom/domain/money'

/*
 * Prices are formatted without a sign (specification 2, section 9). Columns with reversals need a minus before
 * negative amounts, which would otherwise read as money earned.
 */

/** Formats a decimal amount: `$12.50`, `-$12.50`. */
export const signedDollars = (dollars: number | undefined) =>
  minusOf(dollars) + formatDollars(dollars)

/** Formats a decimal amount: `₱12.50`, `-₱12.50`. */
export const signedPesos = (pesos: number | undefined) => minusOf(pesos) + formatPesos(pesos)

/** None before what rounds to zero: sums of decimal amounts may miss it by a trace. */
const minusOf = (amount = 0) => (Math.round(amount * 100) < 0 ? '-' : '')
