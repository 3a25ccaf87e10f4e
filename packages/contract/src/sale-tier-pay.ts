import { z } from 'zod'

const paidAtTier = { tier: z.int(), amount: z.number() }

/**
 * What an AVP sale is paid by its week's tier: negative for a reversal, 0 for a difference or the refund of a part, as a
 * tier pays for each sale that counts.
 */
export const saleTierPaySchema = z.object({
  /** The tier that the agent's week has reached so far. */
  ...paidAtTier,
  /** In which whoever is paid for it is paid. */
  currency: z.enum(['PHP', 'USD']), // `CURRENCIES` would bring the rules of pay to every page.
  /** Besides `payout`, instead of which it is paid otherwise. */
  isOnTop: z.boolean(),
  /** What it would be at the next tier; null at the top one, and for what pays 0 at every tier. */
  next: z.object(paidAtTier).nullable(),
})
export type SaleTierPay = z.infer<typeof saleTierPaySchema>
