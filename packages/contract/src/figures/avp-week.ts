import { AVP_RULES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { filter, idSchema, idTextSchema, listRequest, pagedList } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { dateRangeSchema } from '../periods.ts'
import { avpTierSchema } from '../catalogue/avp-schedules.ts'

/** In pesos and dollars. Left out, like the tiers' rates, if the viewer may not see payouts. */
const paySchema = z.object({ php: z.number(), dollars: z.number() })

/** Where a week stands among the tiers. */
const standingSchema = z.object({
  /** AVP sales of the whole week, reversals deducted, on all sites and for all offices: they decide the tier. */
  sales: z.int(),
  /** Its position in the schedule; null before the first schedule. */
  tier: z.int().nullable(),
  /** What the week's sales pay at this tier, as in Payroll AVP. */
  pay: paySchema.optional(),
})

const nextTierSchema = z.object({
  tier: z.int(),
  /** Sales until the next tier. */
  missing: z.int().positive(),
  /** What reaching it adds to the week's pay, the missing sales included. */
  adds: paySchema.optional(),
})

export const avpStandingSchema = standingSchema.extend({
  agentId: idSchema,
  username: z.string(),
  week: dateRangeSchema,
  /** This week's tiers; empty before the first schedule. */
  tiers: z.array(avpTierSchema.extend({ rate: paySchema.optional() })),
  /** Null in the top tier. */
  next: nextTierSchema.nullable(),
  /** The previous eight weeks, oldest first. */
  before: z.array(standingSchema.extend({ start: dateRangeSchema.shape.start })),
  /** What pays for this week's AVP sales (a setting of pay); null while pay is off. */
  paidBy: z.enum(AVP_RULES).nullable(),
})
export type AvpStanding = z.infer<typeof avpStandingSchema>

const closeAgentSchema = standingSchema.extend({
  agentId: idSchema,
  username: z.string(),
  companyId: idSchema,
  officeName: z.string(),
  tier: z.int(),
  next: nextTierSchema,
})
export type CloseAgent = z.infer<typeof closeAgentSchema>

/** Agents who sold on AVP sites this week and have a next tier. */
export const closeAgentsSchema = pagedList(closeAgentSchema).extend({
  week: dateRangeSchema,
  tiers: avpStandingSchema.shape.tiers,
})
export type CloseAgents = z.infer<typeof closeAgentsSchema>

export const avpWeekEndpoints = {
  avpStanding: endpoint({
    method: 'GET',
    path: '/api/avp-week/:agentId',
    summary: 'Get an agent’s standing among the AVP tiers this week, and their last eight weeks',
    ability: 'stats.avp',
    byToken: 'figures',
    // Polled.
    action: 'none',
    revalidated: true,
    params: z.object({ agentId: idTextSchema }),
    response: avpStandingSchema,
  }),
  avpCloseAgents: endpoint({
    method: 'POST',
    path: '/api/avp-week',
    summary:
      'List the agents who sell on AVP sites this week, those closest to the next tier first',
    ability: 'agents.choose',
    byToken: 'figures',
    // Polled.
    action: 'none',
    body: listRequest(sortFields.avpWeek, { sortField: 'missing', sortAsc: true })
      .extend({
        companyId: filter(idSchema),
        /** Agents with AVP sales on this site this week. Their tier still counts all sites. */
        siteId: filter(idSchema),
      })
      .strict(),
    response: closeAgentsSchema,
  }),
}
