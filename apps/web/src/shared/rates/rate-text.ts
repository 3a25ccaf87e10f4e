import { lppSchema, rateSchema } from '@tallyroom/contract/amounts'
import { amountOf } from '../../ui/form/amount-of.ts'

/** The unit of a rate. */
export type RateUnit = 'dollars' | 'pesos' | 'points'

/** A rate as shown in its field: `1,250.50`, or whole points. */
export const rateText = (value: number, unit: RateUnit): string =>
  (unit === 'points' ? wholes : amounts).format(value)

export const currencyOf = (unit: RateUnit): string =>
  ({ dollars: '$', pesos: '₱', points: '' })[unit]

/** Parses what was typed into a value for the API, or into a problem. */
export function parseRate(typed: string, unit: RateUnit): { value: number } | { problem: string } {
  const parsed = (unit === 'points' ? lppSchema : rateSchema).safeParse(amountOf(typed))
  return parsed.success
    ? { value: parsed.data }
    : { problem: parsed.error.issues[0]?.message ?? 'is not valid' }
}

const amounts = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
