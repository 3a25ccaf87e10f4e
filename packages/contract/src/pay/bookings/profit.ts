import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { filter } from '../../list.ts'
import { exchangeRateSchema, periodNameSchema } from '../terms/periods.ts'
import { notSecret } from '../../secrets.ts'

/** What the rows of the profit page are grouped by. */
export const PROFIT_GROUPINGS = ['period', 'site', 'office'] as const

/**
 * The money of closed periods. Tiers and adjustments belong to no site: grouped by site, they are
 * the row without an id. What was paid in the other currency is converted at each period's own exchange
 * rate; null if one of the periods has none and needs it.
 */
const profitRowSchema = z.object({
  /** A period's name, or an id as text; null for what belongs to no site. */
  key: notSecret(z.string().nullable()),
  name: z.string(),
  events: z.int(),
  earningCents: z.int(),
  ratesCentavos: z.int(),
  tiersCentavos: z.int().nullable(),
  adjustmentsCentavos: z.int().nullable(),
  payoutCentavos: z.int().nullable(),
  payoutCents: z.int().nullable(),
  marginCents: z.int().nullable(),
  exchangeRate: exchangeRateSchema.nullable(),
})
export type ProfitRow = z.infer<typeof profitRowSchema>

export const profitEndpoints = {
  profit: endpoint({
    method: 'GET',
    path: '/api/pay/profit',
    summary: 'Get the earnings, payouts and margin of closed periods',
    ability: 'pay.profit',
    action: 'VIEW',
    refuses: [404],
    query: z.object({
      groupBy: z.enum(PROFIT_GROUPINGS).default('period'),
      /** Limits the rows to one period. */
      period: filter(periodNameSchema),
    }),
    response: z.array(profitRowSchema),
  }),
}
