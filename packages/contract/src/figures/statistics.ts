import { isDay, weekdayOf } from '@tallyroom/domain/new-york'
import { COMPARISONS, POINT_UNITS } from '@tallyroom/domain/periods'
import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { avpTierSchema } from '../catalogue/avp-schedules.ts'
import { endpoint } from '../endpoint.ts'
import { filter, idSchema, idTextSchema, orStandard } from '../list.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../list-choices.ts'
import { daySchema, reportDaySchema, startsBeforeItEnds } from '../periods.ts'
import { subCriteria, subIdSchema, subIsNamed } from '../sub-ids.ts'
import {
  hasSubs,
  type PayoutColumn,
  sortColumnsOf,
  type StatsGrouping,
  statsGroupings,
  type StatsTable,
  statsTables,
} from './stats-table.ts'

/** The views of a statistics page. `office` is an alias of `company`. */
const groupBySchema = (standard: StatsGrouping) =>
  z
    .enum([...statsGroupings, 'office'])
    .default(standard)
    .transform((grouping): StatsGrouping => (grouping === 'office' ? 'company' : grouping))

/** The filters of a statistics page. Days are New York days, both ends inclusive. */
const statsFilters = {
  siteId: filter(idSchema),
  typeId: filter(idSchema),
  companyId: filter(idSchema),
  agentId: filter(idSchema),
  start: reportDaySchema,
  end: reportDaySchema,
}

/** An extra filter of the AVP reports: only agents in this tier, week by week. For admins and superadmins. */
const tierFilter = filter(z.int().min(0).max(1000))

/**
 * In the other reports the filter may be present but empty, so that one criteria form fits all four. The API document gives it
 * the same type there, or a client generated from it could not share the form.
 */
const noTier = z
  .null('is only for the AVP reports')
  .meta({ type: ['integer', 'null'] })
  .optional()
  .transform((): number | undefined => undefined)

/** The same for the filter by sub id, which the payrolls lack. */
const noSub = z
  .null('is only for Sites Statistics and Sites AVP')
  .meta({ type: ['string', 'null'] })
  .optional()
  .transform((): undefined => undefined)

/** A link type's payout column, `{typeId}_payout`. */
const payoutColumnSchema = z
  .string()
  .refine((text): text is PayoutColumn => /^[1-9]\d{0,9}_payout$/.test(text), 'is not a column')

/** What a report can be sorted by: a named column, or a link type's sales or payout. */
const sortSchema = (table: StatsTable) => {
  const columns = z.union([z.enum(sortColumnsOf(table)), idTextSchema])
  return filter(table.pays === undefined ? columns : z.union([columns, payoutColumnSchema]))
}

/** Limits criteria to whole weeks, Monday to Sunday, because AVP is counted by week. */
const wholeWeeks = <Criteria extends z.ZodType<{ start: string; end: string }>>(
  criteria: Criteria,
) =>
  criteria
    .refine(...startsBeforeItEnds)
    .refine(({ start }) => isWeekday(start, 1), { path: ['start'], message: 'must be a Monday' })
    .refine(({ end }) => isWeekday(end, 7), { path: ['end'], message: 'must be a Sunday' })

/** Also true for text that is not a day, which another check refuses. */
const isWeekday = (day: string, weekday: number) => !isDay(day) || weekdayOf(day) === weekday

/**
 * The criteria of a report: view, filters, order (by default, the view's), page, and optional
 * extras.
 */
function criteriaFor(table: StatsTable) {
  const criteria = z.strictObject({
    groupBy: groupBySchema(table.defaultView),
    ...statsFilters,
    avp: table.isWeekly ? tierFilter : noTier,
    sub: hasSubs(table) ? subCriteria.sub : noSub,
    subId: hasSubs(table) ? subCriteria.subId : noSub,
    sortField: sortSchema(table),
    sortAsc: filter(onOffSchema),
    page: orStandard(z.int().min(1).max(1_000_000), 1),
    pageSize: orStandard(z.int().min(1).max(MAX_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    /** Adds the overall sums of another period (`comparedRange`). AVP reports compare whole weeks only. */
    compare: z.enum(COMPARISONS).default('none'),
    /** Adds the sums by day or month, for a chart. */
    points: orStandard(onOffSchema, false),
  })
  const named = criteria.refine(...subIsNamed)
  return table.isWeekly ? wholeWeeks(named) : named.refine(...startsBeforeItEnds)
}

export const statsCriteriaSchema = criteriaFor(statsTables.sites)
export const avpCriteriaSchema = criteriaFor(statsTables.avp)
export const payrollCriteriaSchema = criteriaFor(statsTables.payroll)
export const payrollAvpCriteriaSchema = criteriaFor(statsTables.payrollAvp)

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
  /** Points. Only with `lppVisible`. */
  lpp: count.optional(),
  /** Pesos. Only with `payoutVisible`. */
  payout: money.optional(),
  bonusPayout: money.optional(),
  /** Sales on sites with the AVP flag. Only in the AVP reports. */
  avpSales: count.optional(),
  /** `avpSales` × the tier's rate, by week and agent, in pesos and dollars. Only in Payroll AVP. */
  payoutPhp: money.optional(),
  payoutDollars: money.optional(),
}

/** What a row by sub id is about. */
const SUB_ROWS = ['value', 'none', 'others', 'unknown'] as const
export type SubRow = (typeof SUB_ROWS)[number]

const statsRowFields = {
  date: daySchema.optional(),
  companyId: idSchema.optional(),
  officeName: z.string().optional(),
  agentId: idSchema.optional(),
  agent: z.string().optional(),
  agentFullName: z.string().optional(),
  siteId: idSchema.optional(),
  sitename: z.string().optional(),
  typeId: idSchema.optional(),
  typename: z.string().optional(),
  /**
   * In rows by sub id: `value`, a row of `subId`; `none`, clicks without it; `others`, the `otherSubIds` values with the fewest
   * sales and clicks; `unknown`, archived clicks, and sales whose click is not stored.
   */
  subRow: z.enum(SUB_ROWS).optional(),
  subId: subIdSchema.optional(),
  otherSubIds: count.optional(),
  ...amounts,
  /** Dollars. Only with `earningVisible`. */
  earn: money.optional(),
  bonusEarn: money.optional(),
  lppPrev: count.optional(),
  /**
   * The agent's tier, in AVP report rows about an agent. Null if the row's weeks have different tiers, or if no
   * schedule was in force.
   */
  avpPeriod: avpTierSchema.nullable().optional(),
  /** The AVP sales that decide the tier: of the whole week or weeks, even if the row covers fewer. */
  agent_avp_sales_count: count.optional(),
}

const overallFields = {
  ...amounts,
  earning: money.optional(),
  bonusEarning: money.optional(),
  lpp_prev: count.optional(),
}

/** A link type's sales under its id and, on payrolls, their payout. */
type TypeCounts = { [column: `${number}` | PayoutColumn]: number }

/** The declared fields plus only the columns of link types. */
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
      'has an undeclared field',
    ) as unknown as z.ZodType<z.infer<z.ZodObject<Fields>> & TypeCounts> // the refinement has just checked this
}

const statsRowSchema = withTypeCounts(statsRowFields)
export type StatsRow = z.infer<typeof statsRowSchema>

const overallSchema = withTypeCounts(overallFields)

/**
 * A bar, and the bar in the same position of the period compared with. `date` is the day, or the first day of the
 * week or month; it is missing where only the other period is this long. `now` is missing on days to come.
 */
const pointSchema = z.object({
  date: daySchema.optional(),
  now: overallSchema.optional(),
  beforeDate: daySchema.optional(),
  before: overallSchema.optional(),
})
export type StatsPoint = z.infer<typeof pointSchema>

export const siteStatsSchema = z.object({
  page: z.object({ items: z.array(statsRowSchema), total: z.int().min(0) }),
  /** The whole result, not just the page. */
  overall: overallSchema,
  /**
   * The same sums for the compared days. Missing if there is no comparison, or if no day of the
   * range has begun; with `sub`, also if those days have too many clicks.
   */
  compared: z.object({ start: daySchema, end: daySchema, overall: overallSchema }).optional(),
  /** Only if requested. */
  points: z.object({ unit: z.enum(POINT_UNITS), items: z.array(pointSchema) }).optional(),
  earningVisible: z.boolean(),
  payoutVisible: z.boolean(),
  lppVisible: z.boolean(),
  useApproveSale: z.boolean(),
  hasBonus: z.boolean(),
  /** The chosen site's link types, one column each. Empty for all sites. */
  types: z.array(
    z.object({ id: idSchema, typeId: idSchema, typename: z.string(), bonus: z.boolean() }),
  ),
})

export type SiteStats = z.infer<typeof siteStatsSchema>

export const statisticsEndpoints = {
  siteStats: endpoint({
    method: 'POST',
    path: '/api/stats/sites',
    summary:
      'Sites Statistics: clicks, sales and bonuses by day, office, agent, day and agent, link type, or sub id',
    ability: statsTables.sites.ability,
    byToken: 'figures',
    action: 'SEARCH',
    body: statsCriteriaSchema,
    response: siteStatsSchema,
  }),
  avpStats: endpoint({
    method: 'POST',
    path: '/api/stats/sites/avp',
    summary: 'Sites AVP Statistics: the figures of whole weeks, with the tier of each agent',
    ability: statsTables.avp.ability,
    byToken: 'figures',
    action: 'SEARCH',
    body: avpCriteriaSchema,
    response: siteStatsSchema,
  }),
  payroll: endpoint({
    method: 'POST',
    path: '/api/stats/sites-payout',
    summary:
      'Payroll: what sales and bonuses pay, by day, office, agent, day and agent, or link type',
    ability: statsTables.payroll.ability,
    byToken: 'figures',
    action: 'SEARCH',
    body: payrollCriteriaSchema,
    response: siteStatsSchema,
  }),
  payrollAvp: endpoint({
    method: 'POST',
    path: '/api/stats/sites-payout/avp',
    summary: "Payroll AVP: what the sales on AVP sites pay by the tiers of their agents' weeks",
    ability: statsTables.payrollAvp.ability,
    byToken: 'figures',
    action: 'SEARCH',
    body: payrollAvpCriteriaSchema,
    response: siteStatsSchema,
  }),
}
