import { REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'
import {
  avpFilters,
  avpTierSchema,
  payoutColumnSchema,
  statsFilters,
  wholeWeeks,
} from './statistics.ts'
import { daySchema, startsBeforeItEnds } from './periods.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './list-choices.ts'

/** The key of the row to explain. An empty key means the overall sum. */
const rowKeySchema = z
  .strictObject({
    date: daySchema.optional(),
    companyId: idSchema.optional(),
    agentId: idSchema.optional(),
    typeId: idSchema.optional(),
  })
  .default({})

/** `page` and `pageSize` are those of the parts. */
const partsPaging = {
  page: z.int().min(1).max(1_000_000).default(1),
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
}

/** An amount of Payroll or Payroll AVP: the report's criteria, the row and the column. */
export const explainRequestSchema = z.discriminatedUnion('report', [
  z.strictObject({
    report: z.literal('payroll'),
    criteria: z.strictObject(statsFilters).refine(...startsBeforeItEnds),
    row: rowKeySchema,
    column: z.union([
      z.enum(['payout', 'bonusPayout', 'earn', 'bonusEarn']),
      /** `{typeId}_payout` */
      payoutColumnSchema,
    ]),
    ...partsPaging,
  }),
  z.strictObject({
    report: z.literal('payrollAvp'),
    criteria: wholeWeeks(z.strictObject(avpFilters)),
    row: rowKeySchema,
    column: z.union([
      z.enum(['payout', 'bonusPayout', 'earn', 'bonusEarn', 'payoutPhp', 'payoutDollars']),
      /** `{typeId}_payout`: what the type's sales pay by the tiers, in pesos. */
      payoutColumnSchema,
    ]),
    ...partsPaging,
  }),
])
export type ExplainRequest = z.output<typeof explainRequestSchema>

/** The source of a sale's rate: the link type's default, the office's own rate, or the AVP tier. */
export const rateSources = ['default', 'office', 'tier'] as const
export type RateSource = (typeof rateSources)[number]

/** The reason for a tier: the week (its Monday) and the schedule in force. */
const tierReasonSchema = z.object({
  week: daySchema,
  /** Null when no schedule was in force: the sales pay nothing. */
  tier: avpTierSchema.nullable(),
  scheduleValidFrom: daySchema.nullable(),
})

/** Parts that pay the same rate, summed. Together the groups are the whole figure. */
const explainGroupSchema = z.object({
  /** The link type that pays; left out in figures by tier, where it makes no difference. */
  siteId: idSchema.optional(),
  sitename: z.string().optional(),
  typeId: idSchema.optional(),
  typename: z.string().optional(),
  rateSource: z.enum(rateSources),
  /** Only for pay by tier. */
  reason: tierReasonSchema.optional(),
  /** Per sale, in the figure's currency. */
  rate: z.number(),
  sales: z.int(),
  reversals: z.int(),
  /** `rate` × (`sales` − `reversals`) */
  sum: z.number(),
})
export type ExplainGroup = z.infer<typeof explainGroupSchema>

/** One sale or bonus, or the reversal of one. */
const explainPartSchema = z.object({
  eventId: z.string(),
  occurredAt: z.iso.datetime(),
  /** 0 sale, 1 bonus. */
  eventType: z.int(),
  /** The kind of reversal; null for the sale itself. */
  reversal: z.enum(REVERSALS).nullable(),
  /** The sale that it reverses, and when that was. */
  reverses: z.string().nullable(),
  reversesOccurredAt: z.iso.datetime().nullable(),
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema,
  agent: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  /** Whether the site's sales are Day#1 Approvals, and its bonuses Day#2 Sales. */
  useApproveSale: z.boolean(),
  typeId: idSchema,
  typename: z.string(),
  clickId: z.string(),
  transactionId: z.string().nullable(),
  /** The postback that reported it; null if it came another way. */
  postbackId: z.string().nullable(),
  rateSource: z.enum(rateSources),
  rate: z.number(),
  /** The rate, negative for a reversal. */
  amount: z.number(),
  reason: tierReasonSchema
    .extend({
      /** The agent's AVP sales of that week, by which it has the tier. */
      agentAvpSales: z.int(),
    })
    .optional(),
})
export type ExplainPart = z.infer<typeof explainPartSchema>

/**
 * The most groups that are told one by one: of link types the largest amounts first, of tiers the newest
 * weeks first.
 */
export const MAX_EXPLAIN_GROUPS = 500

export const explanationSchema = z.object({
  currency: z.enum(['php', 'usd']),
  /** As the report shows it, from the totals. */
  figure: z.number(),
  /** Of all parts, from the events: the same, to the centavo. */
  sum: z.number(),
  groups: z.array(explainGroupSchema).max(MAX_EXPLAIN_GROUPS),
  /** What the groups beyond the most come to. */
  otherGroups: z.object({ count: z.int().min(0), sum: z.number() }),
  parts: z.object({
    items: z.array(explainPartSchema),
    total: z.int().min(0),
    /** Of this page. */
    pageSum: z.number(),
  }),
})
export type Explanation = z.infer<typeof explanationSchema>

export const explainEndpoints = {
  explain: endpoint({
    method: 'POST',
    path: '/api/stats/explain',
    summary: 'What an amount of Payroll or Payroll AVP is made of, down to the postbacks',
    ability: 'stats.payroll',
    action: 'VIEW',
    body: explainRequestSchema,
    response: explanationSchema,
  }),
}
