import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { filter, idSchema, idTextSchema } from './list.ts'
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  statsColumns,
  type StatsGrouping,
  statsGroupings,
} from './list-choices.ts'
import { daySchema, reportDaySchema, startsBeforeItEnds } from './periods.ts'

/** A column to sort by: one of the fixed ones, or a link type's id for its count column. */
const statsSortSchema = z.union([z.enum(statsColumns), idTextSchema])

/** The views of a statistics page; `office` is read as `company`. */
export const groupBySchema = (standard: StatsGrouping) =>
  z
    .enum([...statsGroupings, 'office'])
    .default(standard)
    .transform((grouping): StatsGrouping => (grouping === 'office' ? 'company' : grouping))

/** What a statistics page can be narrowed to. Days are New York days, both ends inclusive. */
export const statsFilters = {
  siteId: filter(idSchema),
  typeId: filter(idSchema),
  companyId: filter(idSchema),
  agentId: filter(idSchema),
  start: reportDaySchema,
  end: reportDaySchema,
}

/** Of the reports without tiers: the AVP reports' filter may be there, empty, so that one form of criteria fits all four. */
export const noTier = {
  avp: z
    .null('is for the AVP reports alone')
    .optional()
    .transform(() => undefined),
}

/** Order and page; without a sort the view’s own order. */
export const statsPaging = {
  sortAsc: filter(z.boolean()),
  page: z.int().min(1).max(1_000_000).default(1),
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
}

/** What a statistics page asks for. */
export const statsCriteriaSchema = z
  .strictObject({
    groupBy: groupBySchema('detail'),
    ...statsFilters,
    ...noTier,
    /** Left out: the grouping's own order (date descending, office or agent ascending). */
    sortField: filter(statsSortSchema),
    ...statsPaging,
  })
  .refine(...startsBeforeItEnds)

export type StatsCriteria = z.output<typeof statsCriteriaSchema>

const count = z.int()
const money = z.number()

const amounts = {
  raws: count,
  uniques: count,
  sales: count,
  bonusSales: count,
  /** 100 × bonus sales / sales; 0 without sales. */
  bonusRatio: z.number(),
  /** Points, and the same sum over the period of equal length just before. Only with `lppVisible`. */
  lpp: count.optional(),
  /** Pesos. Only with `payoutVisible`. */
  payout: money.optional(),
  bonusPayout: money.optional(),
  /** Of the sales, those on sites with the AVP flag. Only in the AVP reports. */
  avpSales: count.optional(),
  /** `avpSales` × the tier's rate, week by week and agent by agent; pesos and dollars. Only in Payroll AVP. */
  payoutPhp: money.optional(),
  payoutDollars: money.optional(),
}

/** A step of the AVP schedule. A `to` of 1000 or more means no upper end. */
export const avpTierSchema = z.object({
  index: z.int().min(0),
  from: z.int().min(0),
  to: z.int().min(0),
})

const statsRowFields = {
  date: daySchema.optional(),
  companyId: idSchema.optional(),
  officeName: z.string().optional(),
  agentId: idSchema.optional(),
  agent: z.string().optional(),
  agentFullName: z.string().optional(),
  ...amounts,
  /** Dollars. Only with `earningVisible`. */
  earn: money.optional(),
  bonusEarn: money.optional(),
  lppPrev: count.optional(),
  /**
   * The agent's tier, in the AVP reports' rows of an agent. Null when the row's weeks have different ones, or
   * none: no schedule was in force.
   */
  avpPeriod: avpTierSchema.nullable().optional(),
  /** The AVP sales by which the agent has its tier: of its whole week(s), whatever the row shows of them. */
  agent_avp_sales_count: count.optional(),
}

const overallFields = {
  ...amounts,
  earning: money.optional(),
  bonusEarning: money.optional(),
  lpp_prev: count.optional(),
}

/** Sales of a link type, under the type's id; on payroll pages also what they pay, in pesos. */
type TypeCounts = { [column: `${number}` | PayoutColumn]: number }

/** The column of what a link type's sales pay. Bonuses are not in it: they have the column bonusPayout. */
export type PayoutColumn = `${number}_payout`

/** The declared fields and, beside them, only the columns of link types. */
const withTypeCounts = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const declared = new Set(Object.keys(fields))
  return z
    .object(fields)
    .catchall(z.unknown())
    .refine(
      (row) =>
        Object.entries(row).every(
          ([key, value]) =>
            declared.has(key) ||
            (/^\d+$/.test(key) && Number.isInteger(value)) ||
            (/^\d+_payout$/.test(key) && typeof value === 'number'),
        ),
      'has a field that is not declared',
    ) as unknown as z.ZodType<z.infer<z.ZodObject<Fields>> & TypeCounts> // what the refinement has just made sure of
}

export const statsRowSchema = withTypeCounts(statsRowFields)
export type StatsRow = z.infer<typeof statsRowSchema>

export const siteStatsSchema = z.object({
  page: z.object({ items: z.array(statsRowSchema), total: z.int().min(0) }),
  /** The whole result, not just the page. */
  overall: withTypeCounts(overallFields),
  earningVisible: z.boolean(),
  payoutVisible: z.boolean(),
  lppVisible: z.boolean(),
  useApproveSale: z.boolean(),
  hasBonus: z.boolean(),
  /** The link types of the chosen site: one count column each. Empty for all sites. */
  types: z.array(
    z.object({ id: idSchema, typeId: idSchema, typename: z.string(), bonus: z.boolean() }),
  ),
})

export type SiteStats = z.infer<typeof siteStatsSchema>

export const statisticsEndpoints = {
  siteStats: endpoint({
    method: 'POST',
    path: '/api/stats/sites',
    summary: 'Sites Statistics: clicks, sales and bonuses by day, office, agent or both',
    ability: 'stats.view',
    action: 'SEARCH',
    body: statsCriteriaSchema,
    response: siteStatsSchema,
  }),
}
