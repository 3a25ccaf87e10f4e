import { formatDollars, formatPesos } from '@tallyroom/domain/money'

/*
 * Prices are written without their sign (specification 2, section 9). In a column that holds
 * reversals too, what is below zero gets a minus before its price, or it would read as money earned.
 */

/** Of a decimal amount: `$12.50`, `-$12.50`. */
export const signedDollars = (dollars: number | undefined) =>
  minusOf(dollars) + formatDollars(dollars)

/** Of a decimal amount: `₱12.50`, `-₱12.50`. */
export const signedPesos = (pesos: number | undefined) => minusOf(pesos) + formatPesos(pesos)

const minusOf = (amount = 0) => (amount < 0 ? '-' : '')
