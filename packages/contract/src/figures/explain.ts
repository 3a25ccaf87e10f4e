import { REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { rateDifferenceSchema } from '../pay/backdating/backdating.ts'
import { rateOriginSchema } from '../catalogue/rates.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'
import { avpTierSchema } from '../catalogue/avp-schedules.ts'
import { daySchema, reportDaySchema, startsBeforeItEnds } from '../periods.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../list-choices.ts'
import { subIdSchema, subIsNamed, subNameSchema } from '../sub-ids.ts'
import {
  type AmountColumn,
  hasColumn,
  hasSubs,
  isAmountColumn,
  isAmountName,
  isPayoutColumn,
  type StatsTable,
  statsTableNames,
  statsTables,
  typeOf,
} from './stats-table.ts'

const amountFields = {
  report: z.enum(statsTableNames),
  /** `payout`, `avpSales` …; `12`: the sales of link type 12; `12_payout`: their payout. */
  column: z.string().max(24).refine(isAmountColumn, 'is not an amount'),
  /** New York days, both inclusive. Tiers depend on the whole weeks of these days. */
  start: reportDaySchema,
  end: reportDaySchema,
  siteId: idSchema.optional(),
  typeId: idSchema.optional(),
  companyId: idSchema.optional(),
  agentId: idSchema.optional(),
  /** Only agents in this tier, in the AVP reports. */
  avp: z.int().min(0).max(1000).optional(),
  /** Only sales of clicks with this sub id; without `subId`, of clicks without it. Not in the payrolls. */
  sub: subNameSchema.optional(),
  subId: subIdSchema.optional(),
}

/**
 * An amount or a count of sales: a column of a report, and which sales it covers. A missing id
 * means all.
 */
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
  .refine(...subIsNamed)
  .refine(({ report, sub }) => sub === undefined || hasSubs(statsTables[report]), {
    path: ['sub'],
    message: 'is only for Sites Statistics and Sites AVP',
  })
export type ExplainRequest = z.output<typeof explainRequestSchema>

/** Whether a table has an amount in one of its views, regardless of what the viewer may see. */
const hasAmount = (table: StatsTable, column: AmountColumn): boolean =>
  isAmountName(column)
    ? table.views.some((groupBy) => hasColumn(table, groupBy, column))
    : !isPayoutColumn(column) || table.pays !== undefined

/** The source of a sale's rate: the link type's default, the office's own rate, or the AVP tier. */
const rateSources = ['default', 'office', 'tier'] as const
export type RateSource = (typeof rateSources)[number]

/** What pays for a sale, according to the settings of pay: its rate, its week's tier, or both. */
const PAID_BY = ['rate', 'tier', 'both'] as const
export type PaidBy = (typeof PAID_BY)[number]

/** The reason for a tier: the week (its Monday) and the schedule in force. */
const tierReasonSchema = z.object({
  week: daySchema,
  /** Null if no schedule was in force: the sales pay nothing. */
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
  /** Left out, like `rate`, if the figure is a count of sales. */
  rateSource: z.enum(rateSources).optional(),
  /**
   * Left out if the rate has always been in force, or if the sales have several rates of the same
   * amount.
   */
  origin: rateOriginSchema.optional(),
  /** Only for pay by tier. */
  reason: tierReasonSchema.optional(),
  /** Per sale, in the figure's currency. */
  rate: z.number().optional(),
  sales: z.int(),
  reversals: z.int(),
  /** Only for differences from backdated rates: how many there are, `rate` each. */
  differences: z.int().optional(),
  /** Only for refunded parts of sales: how many there are, `rate` each. */
  parts: z.int().optional(),
  /** `rate` × (`sales` − `reversals`), or × `differences` or `parts`; a count has no rate. */
  sum: z.number(),
})
export type ExplainGroup = z.infer<typeof explainGroupSchema>

/** One sale or bonus, its reversal, its difference from backdated rates, or the refund of a part of it. */
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
  /** Only for a difference from backdated rates. */
  difference: rateDifferenceSchema.optional(),
  /** Only for the refund of a part: how much of the sale, in percent. */
  partPercent: z.number().optional(),
  /** It counts a sale again that was reversed before. */
  isRestored: z.literal(true).optional(),
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
  /** Left out, like `rate`, if the figure is a count of sales. */
  rateSource: z.enum(rateSources).optional(),
  /** Only for payouts. Left out while pay is off, and for sales recorded before. */
  paidBy: z.enum(PAID_BY).optional(),
  /** Left out if the rate has always been in force. */
  origin: rateOriginSchema.optional(),
  rate: z.number().optional(),
  /** The rate, or 1 if the figure is a count of sales; negative for a reversal. */
  amount: z.number(),
  reason: tierReasonSchema
    .extend({
      /** The agent's AVP sales of that week, which decide the tier. */
      agentAvpSales: z.int(),
    })
    .optional(),
})
export type ExplainPart = z.infer<typeof explainPartSchema>

/**
 * Maximum groups that are listed: of link types, those with the largest amounts; of tiers, the
 * newest weeks.
 */
export const MAX_EXPLAIN_GROUPS = 500

/**
 * Names of what the amount covers; null for criteria that are not set, or that the viewer may not
 * see.
 */
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
  /** The sum of all parts, from the events. Equal to the figure, to the centavo. */
  sum: z.number(),
  groups: z.array(explainGroupSchema).max(MAX_EXPLAIN_GROUPS),
  /** The sum of the groups beyond the maximum. */
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
    summary: 'Explain an amount or a count of sales in a report, sale by sale',
    // The report named in the body requires its own ability as well.
    ability: 'stats.view',
    byToken: 'figures',
    action: 'VIEW',
    body: explainRequestSchema,
    response: explanationSchema,
  }),
}
