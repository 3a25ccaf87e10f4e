import { REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { rateDifferenceSchema } from './rate-backdating.ts'
import { rateOriginSchema } from './rates.ts'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'
import { avpTierSchema } from './statistics.ts'
import { daySchema, reportDaySchema, startsBeforeItEnds } from './periods.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './list-choices.ts'
import { hasAmount, isAmountColumn, statsTableNames, statsTables, typeOf } from './stats-table.ts'

const amountFields = {
  report: z.enum(statsTableNames),
  /** `payout`, `avpSales` …; `12`: the sales of link type 12; `12_payout`: what they pay. */
  column: z.string().max(24).refine(isAmountColumn, 'is not an amount'),
  /** New York days, both inclusive. Tiers go by the whole weeks that these days are in. */
  start: reportDaySchema,
  end: reportDaySchema,
  siteId: idSchema.optional(),
  typeId: idSchema.optional(),
  companyId: idSchema.optional(),
  agentId: idSchema.optional(),
  /** Only agents in this tier, in the AVP reports. */
  avp: z.int().min(0).max(1000).optional(),
}

/** An amount or a count of sales: a column of a report, and which sales it covers. A missing id means all. */
export type AmountQuestion = z.output<z.ZodObject<typeof amountFields>>

/** `page` and `pageSize` are those of the parts. */
export const explainRequestSchema = z
  .strictObject({
    ...amountFields,
    page: z.int().min(1).max(1_000_000).default(1),
    pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  })
  .refine(...startsBeforeItEnds)
  .refine(({ report, column }) => hasAmount(statsTables[report], column), {
    path: ['column'],
    message: 'is not an amount of this report',
  })
  .refine(({ column, typeId }) => (typeId ?? typeOf(column)) === (typeOf(column) ?? typeId), {
    path: ['column'],
    message: 'is of another link type',
  })
  .refine(({ report, avp }) => avp === undefined || statsTables[report].isWeekly, {
    path: ['avp'],
    message: 'is only for the AVP reports',
  })
export type ExplainRequest = z.output<typeof explainRequestSchema>

/** The source of a sale's rate: the link type's default, the office's own rate, or the AVP tier. */
export const rateSources = ['default', 'office', 'tier'] as const
export type RateSource = (typeof rateSources)[number]

/** What pays a sale, by the settings of pay: its rate, its week's tier, or both. */
const PAID_BY = ['rate', 'tier', 'both'] as const
export type PaidBy = (typeof PAID_BY)[number]

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
  /** Left out, like `rate`, where sales are counted. */
  rateSource: z.enum(rateSources).optional(),
  /** Left out if the rate has no beginning, or if the sales have several of the same amount. */
  origin: rateOriginSchema.optional(),
  /** Only for pay by tier. */
  reason: tierReasonSchema.optional(),
  /** Per sale, in the figure's currency. */
  rate: z.number().optional(),
  sales: z.int(),
  reversals: z.int(),
  /** Only of differences by backdated rates: how many there are, of `rate` each. */
  differences: z.int().optional(),
  /** `rate` × (`sales` − `reversals`), or × `differences`; a count is without rate. */
  sum: z.number(),
})
export type ExplainGroup = z.infer<typeof explainGroupSchema>

/** One sale or bonus, the reversal of one, or the difference that backdated rates make of one. */
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
  /** Only of a difference by backdated rates. */
  difference: rateDifferenceSchema.optional(),
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
  /** The order number. */
  transactionId: z.string().nullable(),
  /** The postback that reported it; null if it came another way. Only for those who may read postbacks. */
  postbackId: z.string().nullable().optional(),
  /** Left out, like `rate`, where sales are counted. */
  rateSource: z.enum(rateSources).optional(),
  /** Only in payouts. Left out while pay is off, and for what was recorded before. */
  paidBy: z.enum(PAID_BY).optional(),
  /** Left out if the rate has no beginning. */
  origin: rateOriginSchema.optional(),
  rate: z.number().optional(),
  /** The rate, or 1 where sales are counted; negative for a reversal. */
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

/** Names of what the amount covers; null for what is not narrowed, or not the viewer's to see. */
const amountNamesSchema = z.object({
  office: z.string().nullable(),
  agent: z.string().nullable(),
  site: z.string().nullable(),
  type: z.string().nullable(),
  /** Whether the site's sales are Day#1 Approvals, and its bonuses Day#2 Sales. */
  useApproveSale: z.boolean(),
})

export const explanationSchema = z.object({
  names: amountNamesSchema,
  unit: z.enum(['php', 'usd', 'count']),
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
    summary: 'What an amount or a count of sales in a report is made of, sale by sale',
    // The report named in the body requires its own ability as well.
    ability: 'stats.view',
    action: 'VIEW',
    body: explainRequestSchema,
    response: explanationSchema,
  }),
}
