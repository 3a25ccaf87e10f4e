import { toCents } from './conversion.ts'

/** What a sale earns and pays. */
type EarnedAndPaid = { earningCents: number; payoutCentavos: number }

/**
 * By how much a rate's payout exceeds its earning, in cents, at the exchange rate that pay uses;
 * undefined if it does not, or without an exchange rate.
 * @param pesosE4 - Ten-thousandths of a peso per dollar.
 */
export function lossCents(
  { earningCents, payoutCentavos }: EarnedAndPaid,
  pesosE4: number | undefined,
): number | undefined {
  if (pesosE4 === undefined) return undefined
  const loss = toCents(payoutCentavos, pesosE4) - earningCents
  return loss > 0 ? loss : undefined
}
