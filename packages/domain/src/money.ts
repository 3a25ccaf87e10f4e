/**
 * Amounts are stored and summed as integers of minor units (US cents, Philippine centavos). JSON has
 * decimal numbers with at most two places.
 *
 * Within ± this bound, a double represents every such decimal distinctly.
 */
export const MAX_MINOR_UNITS = 999_999_999_999_999

/**
 * A decimal number or its text as exact minor units: 12.3 and '12.30' are 1230. Undefined, never rounded,
 * for more than two places, for an exponent and beyond `MAX_MINOR_UNITS`.
 */
export function toMinorUnits(decimal: number | string): number | undefined {
  // Converts the text because 0.07 * 100 is not 7.
  const [, sign, whole, places = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(decimal)) ?? []
  if (whole === undefined) return undefined
  const units = Number(whole + places.padEnd(2, '0'))
  if (units > MAX_MINOR_UNITS) return undefined
  return sign && units ? -units : units
}

/** Minor units of an amount that a schema has validated. @throws RangeError if it is not an amount. */
export function minorUnitsOf(amount: number): number {
  const units = toMinorUnits(amount)
  if (units === undefined) throw new RangeError(`Not an amount: ${amount}`)
  return units
}

/** Minor units as the decimal number of the API. @throws RangeError if they are not an amount. */
export function fromMinorUnits(units: number): number {
  if (!Number.isInteger(units) || Math.abs(units) > MAX_MINOR_UNITS) {
    throw new RangeError(`Not an amount in minor units: ${units}`)
  }
  return units / 100
}

/** `$1,234.50` for a price, always its absolute value (specification 2, section 9); `$0.00` if missing. Of sums: {@link signedDollars}. */
export const formatDollars = (dollars: number | null | undefined): string =>
  `$${twoPlaces.format(Math.abs(dollars ?? 0))}`

/** `₱1,234.50` for a price, always its absolute value; `₱0.00` if missing. Of sums: {@link signedPesos}. */
export const formatPesos = (pesos: number | null | undefined): string =>
  `₱${twoPlaces.format(Math.abs(pesos ?? 0))}`

/** `$12.50`, `-$12.50` for a decimal amount that reversals can make negative, which would otherwise read as money earned. */
export const signedDollars = (dollars: number | undefined): string =>
  minusOf(dollars) + formatDollars(dollars)

/** `₱12.50`, `-₱12.50`: see {@link signedDollars}. */
export const signedPesos = (pesos: number | undefined): string =>
  minusOf(pesos) + formatPesos(pesos)

/** None before what rounds to zero: sums of decimal amounts may miss it by a trace. */
const minusOf = (amount = 0) => (Math.round(amount * 100) < 0 ? '-' : '')

/** `12.50%` for 12.5; `0%` if the number is zero, rounds to zero or is missing. */
export const formatPercent = (percent: number | null | undefined): string =>
  withPercentSign(twoPlaces.format(percent ?? 0))

/** `+12.50%` or `-3.00%`; `0%` without a sign for zero. */
export const formatSignedPercent = (percent: number | null | undefined): string =>
  withPercentSign(signedTwoPlaces.format(percent ?? 0))

/** `1,234`; `0` if missing. */
export const formatCount = (count: number | null | undefined): string => counts.format(count ?? 0)

const withPercentSign = (number: string): string => (number === '0.00' ? '0%' : `${number}%`)

const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
const twoPlaces = new Intl.NumberFormat('en-US', { ...places, signDisplay: 'negative' })
const signedTwoPlaces = new Intl.NumberFormat('en-US', { ...places, signDisplay: 'exceptZero' })
const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'negative' })
