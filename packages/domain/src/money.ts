/**
 * Amounts are integers of minor units (US cents, Philippine centavos) wherever they are stored or
 * summed, and decimal numbers with at most two places in JSON.
 *
 * Up to here, and down to its negative, a decimal number tells each minor unit from the next.
 */
export const MAX_MINOR_UNITS = 999_999_999_999_999

/**
 * A decimal number, or its text, as minor units, exactly: 12.3 and '12.30' are 1230. Undefined for
 * more than two places, for an exponent, and beyond `MAX_MINOR_UNITS`; never rounded.
 */
export function toMinorUnits(decimal: number | string): number | undefined {
  // A number's shortest text is what was written in the JSON: 0.07, where 0.07 * 100 is not 7.
  const [, sign, whole, places = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(decimal)) ?? []
  if (whole === undefined) return undefined
  const units = Number(whole + places.padEnd(2, '0'))
  if (units > MAX_MINOR_UNITS) return undefined
  return sign && units ? -units : units
}

/** The same of an amount that a contract has let through. @throws RangeError for what is none. */
export function minorUnitsOf(amount: number): number {
  const units = toMinorUnits(amount)
  if (units === undefined) throw new RangeError(`Not an amount: ${amount}`)
  return units
}

/** Minor units as the decimal number of the wire. Throws a RangeError for what is no amount. */
export function fromMinorUnits(units: number): number {
  if (!Number.isInteger(units) || Math.abs(units) > MAX_MINOR_UNITS) {
    throw new RangeError(`Not an amount in minor units: ${units}`)
  }
  return units / 100
}

/** Of a decimal amount: `$1,234.50`, always its absolute value; `$0.00` when it is missing. */
export const formatDollars = (dollars: number | null | undefined): string =>
  `$${twoPlaces.format(Math.abs(dollars ?? 0))}`

/** Of a decimal amount: `₱1,234.50`, always its absolute value; `₱0.00` when it is missing. */
export const formatPesos = (pesos: number | null | undefined): string =>
  `₱${twoPlaces.format(Math.abs(pesos ?? 0))}`

/** `12.50%` of 12.5; what is zero, rounds to zero or is missing shows `0%`. */
export const formatPercent = (percent: number | null | undefined): string =>
  withPercentSign(twoPlaces.format(percent ?? 0))

/** `+12.50%` or `-3.00%`; zero shows `0%`, without a sign. */
export const formatSignedPercent = (percent: number | null | undefined): string =>
  withPercentSign(signedTwoPlaces.format(percent ?? 0))

/** `1,234`; `0` when it is missing. */
export const formatCount = (count: number | null | undefined): string => counts.format(count ?? 0)

const withPercentSign = (number: string): string => (number === '0.00' ? '0%' : `${number}%`)

const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
const twoPlaces = new Intl.NumberFormat('en-US', { ...places, signDisplay: 'negative' })
const signedTwoPlaces = new Intl.NumberFormat('en-US', { ...places, signDisplay: 'exceptZero' })
const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'negative' })
