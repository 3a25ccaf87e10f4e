import type { Day } from '@tallyroom/domain/new-york'

/** The numbers that every level of the totals sums. Money in cents and centavos. */
export const metrics = [
  'raws',
  'uniques',
  'sales',
  'bonus_sales',
  'avp_sales',
  'earning_cents',
  'bonus_earning_cents',
  'payout_centavos',
  'bonus_payout_centavos',
  'lpp',
] as const
export type Metric = (typeof metrics)[number]

/**
 * What events add to the totals of one (New York day, agent, office, link type). Reversals carry
 * negative numbers. Names are those of the columns.
 */
export type TotalsDelta = {
  day: Day
  agent_id: number
  office_id: number
  site_id: number
  type_id: number
} & Partial<Record<Metric, number>>
