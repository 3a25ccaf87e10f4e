import type { Currency } from './pay.ts'

/** There are two. */
export const otherThan = (currency: Currency): Currency => (currency === 'PHP' ? 'USD' : 'PHP')

/** Pesos to dollars, rounded once, half away from zero. @param pesosE4 ten-thousandths of a peso for a dollar */
export const toCents = (centavos: number, pesosE4: number): number =>
  divideHalfAway(BigInt(centavos) * 10_000n, BigInt(pesosE4))

/** Dollars to pesos, rounded once, half away from zero. @param pesosE4 ten-thousandths of a peso for a dollar */
export const toCentavos = (cents: number, pesosE4: number): number =>
  divideHalfAway(BigInt(cents) * BigInt(pesosE4), 10_000n)

/** An amount in minor units of one currency, in the other. */
export const convert = (amount: number, from: Currency, pesosE4: number): number =>
  from === 'PHP' ? toCents(amount, pesosE4) : toCentavos(amount, pesosE4)

/** The divisor is positive. BigInt, because pesos times ten thousand exceed 2^53. */
export function divideHalfAway(dividend: bigint, divisor: bigint): number {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = Number((2n * size + divisor) / (2n * divisor))
  return dividend < 0n && rounded !== 0 ? -rounded : rounded
}
