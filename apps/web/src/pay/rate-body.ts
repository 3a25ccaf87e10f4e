import { amountOf } from '../ui/form/amount-of.ts'

/** An exchange rate as it is typed, in ten-thousandths of a peso for a dollar. */
export const rateBodyOf = ({ pesosE4, source }: { pesosE4: string; source: string }) => ({
  pesosE4: Math.round(amountOf(pesosE4) * 10_000),
  source,
})
