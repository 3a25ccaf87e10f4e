import { toCents } from './pay.ts'

/** What a sale earns and pays. */
type EarnedAndPaid = { earningCents: number; payoutCentavos: number }

/**
 * How much more a rate pays than it earns, in cents, with its payout converted as pay converts it; undefined where it
 * does not, or where no exchange rate is known.
 *
 * @param pesosE4 - Ten-thousandths of a peso for a dollar.
 */
export function lossCents(
  { earningCents, payoutCentavos }: EarnedAndPaid,
  pesosE4: number | undefined,
): number | undefined {
  if (pesosE4 === undefined) return undefined
  const loss = toCents(payoutCentavos, pesosE4) - earningCents
  return loss > 0 ? loss : undefined
}
