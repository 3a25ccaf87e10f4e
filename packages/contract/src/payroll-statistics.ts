import { isDay, weekdayOf } from '@tallyroom/domain/new-york'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { filter, idTextSchema } from './list.ts'
import { daySchema, startsBeforeItEnds } from './periods.ts'
import {
  avpTierSchema,
  groupBySchema,
  noTier,
  siteStatsSchema,
  statsFilters,
  statsPaging,
  type PayoutColumn,
} from './statistics.ts'
import { statsColumns } from './list-choices.ts'

/** A link type's payout column, `{typeId}_payout`. */
export const payoutColumnSchema = z
  .string()
  .refine((text): text is PayoutColumn => /^[1-9]\d{0,9}_payout$/.test(text), 'is not a column')

/** The columns that the AVP reports have beside those of Sites Statistics. */
export const avpColumns = ['avpPeriod', 'agent_avp_sales_count', 'avpSales'] as const
export const avpPayoutColumns = ['payoutPhp', 'payoutDollars'] as const

/** Payroll: as Sites Statistics, with what each link type's sales pay. */
export const payrollCriteriaSchema = z
  .strictObject({
    groupBy: groupBySchema('detail'),
    ...statsFilters,
    ...noTier,
    sortField: filter(z.union([z.enum(statsColumns), idTextSchema, payoutColumnSchema])),
    ...statsPaging,
  })
  .refine(...startsBeforeItEnds)

/** What the AVP reports can be narrowed to. */
export const avpFilters = {
  ...statsFilters,
  /** Only agents in this tier, week by week; null or left out: all sales. For admins and up. */
  avp: filter(z.int().min(0).max(1000)),
}

/** Holds criteria to weeks, Monday to Sunday, by which AVP is counted. */
export const wholeWeeks = <Criteria extends z.ZodType<{ start: string; end: string }>>(
  criteria: Criteria,
) =>
  criteria
    .refine(...startsBeforeItEnds)
    .refine(({ start }) => isWeekday(start, 1), { path: ['start'], message: 'must be a Monday' })
    .refine(({ end }) => isWeekday(end, 7), { path: ['end'], message: 'must be a Sunday' })

/** True of what is no day, which has been refused already. */
const isWeekday = (day: string, weekday: number) => !isDay(day) || weekdayOf(day) === weekday

/** Sites AVP Statistics: whole weeks; the views are agent and detail. */
export const avpCriteriaSchema = wholeWeeks(
  z.strictObject({
    groupBy: groupBySchema('detail'),
    ...avpFilters,
    sortField: filter(z.union([z.enum([...statsColumns, ...avpColumns]), idTextSchema])),
    ...statsPaging,
  }),
)

/** Payroll AVP: whole weeks; each sale on an AVP site pays the rate of its agent's tier in its week. */
export const payrollAvpCriteriaSchema = wholeWeeks(
  z.strictObject({
    groupBy: groupBySchema('company'),
    ...avpFilters,
    sortField: filter(
      z.union([
        z.enum([...statsColumns, ...avpColumns, ...avpPayoutColumns]),
        idTextSchema,
        payoutColumnSchema,
      ]),
    ),
    ...statsPaging,
  }),
)

/** A tier with what it pays for each sale: pesos and dollars. */
export const avpPeriodSchema = avpTierSchema.extend({
  payoutPhp: z.number(),
  payoutDollars: z.number(),
})

export type PayrollAvpCriteria = z.output<typeof payrollAvpCriteriaSchema>

export const payrollEndpoints = {
  avpStats: endpoint({
    method: 'POST',
    path: '/api/stats/sites/avp',
    summary: 'Sites AVP Statistics: the figures of whole weeks, with the tier of each agent',
    ability: 'stats.avp',
    action: 'SEARCH',
    body: avpCriteriaSchema,
    response: siteStatsSchema,
  }),
  payroll: endpoint({
    method: 'POST',
    path: '/api/stats/sites-payout',
    summary: 'Payroll: what sales and bonuses pay, by day, office, agent or both',
    ability: 'stats.payroll',
    action: 'SEARCH',
    body: payrollCriteriaSchema,
    response: siteStatsSchema,
  }),
  payrollAvp: endpoint({
    method: 'POST',
    path: '/api/stats/sites-payout/avp',
    summary: "Payroll AVP: what the sales on AVP sites pay by the tiers of their agents' weeks",
    ability: 'stats.payroll',
    action: 'SEARCH',
    body: payrollAvpCriteriaSchema,
    response: siteStatsSchema,
  }),
  avpPeriods: endpoint({
    method: 'GET',
    path: '/api/avp-periods',
    summary: 'The AVP tiers in force in a week, with what they pay; none before the first schedule',
    ability: 'stats.avp',
    action: 'none',
    query: z.object({
      /** A day of the week that is asked for; left out: this week. */
      day: daySchema.optional(),
    }),
    response: z.array(avpPeriodSchema),
  }),
}
