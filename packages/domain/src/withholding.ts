import { divideHalfAway } from './conversion.ts'
import type { Day } from './new-york.ts'

/*
 * Tax that whoever pays a payee withholds and pays to the tax office for them. Rates are basis points: hundredths of a
 * percent.
 */

/** 50 %. */
export const MOST_TAX_BP = 5000

/** The quarter of the calendar that has a day: `2026-Q4`. */
export const quarterOf = (day: Day): string =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

/**
 * The tax on what a statement says was earned, rounded half away from zero. Of a negative sum, it is what is given back: at
 * most what was withheld in its quarter before. In minor units, as `base` and `before`.
 */
export function withheldOf(base: number, rateBp: number, before: number): number {
  const tax = divideHalfAway(BigInt(base) * BigInt(rateBp), 10_000n)
  return tax >= 0 ? tax : 0 - Math.min(-tax, Math.max(before, 0))
}

/** `10 %` or `12.5 %` */
export const taxRateText = (rateBp: number): string => `${rateBp / 100} %`
