import { daysInRange, isValidRange } from '@tallyroom/domain/periods'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import { filter, idSchema, orStandard } from '../list.ts'
import { missing } from '../missing.ts'
import { askedPeriodSchema, reportDaySchema, startsBeforeItEnds } from '../periods.ts'
import { sortFields } from '../list-choices.ts'

/** An office's sales in two periods. `progress` is the change from period 2 to period 1 in percent. */
export const performanceRowSchema = z.object({
  id: idSchema,
  name: z.string(),
  sales1: z.int(),
  sales2: z.int(),
  progress: z.number(),
  /**
   * Sales in as many days of period 2 as have begun of period 1 (`equalDays`); `sales2` once period
   * 1 is over.
   */
  sales2ToDate: z.int(),
  /** The change from these to `sales1`, in percent. */
  growth: z.number(),
})
export type PerformanceRow = z.infer<typeof performanceRowSchema>

const chartGroupings = ['day', 'month'] as const

/** One point per day, or per month, dated on its first day. Points end with today. */
const officeChartSchema = z.object({
  companyId: idSchema,
  officeName: z.string(),
  items: z.array(
    z.object({
      date: z.string(),
      /** Sales. */
      value: z.int(),
      /** Sales of the previous day or month. */
      before: z.int(),
      /** Change from the previous day or month, in percent. */
      progress: z.number(),
    }),
  ),
})
export type OfficeChart = z.infer<typeof officeChartSchema>

/** Maximum length of a chart in days, so that its columns stay distinguishable. */
const MAX_DAYS = { day: 100, month: 3_660 } as const

export const officePerformanceEndpoints = {
  officePerformance: endpoint({
    method: 'POST',
    path: '/api/stats/periods',
    summary: 'Compare the sales of each office in two periods (Office Performance)',
    ability: 'stats.performance',
    byToken: 'figures',
    action: 'SEARCH',
    body: z.strictObject({
      /** Usually the newer period. */
      period1: askedPeriodSchema,
      period2: askedPeriodSchema,
      groupBy: z
        .enum(['company', 'office'])
        .default('company')
        .transform(() => 'company' as const),
      sortField: orStandard(z.enum(sortFields.officePerformance), 'name'),
      sortAsc: orStandard(onOffSchema, true),
    }),
    response: z.array(performanceRowSchema),
  }),
  officeCharts: endpoint({
    method: 'POST',
    path: '/api/stats/office-charts',
    summary:
      'Get sales over time for each office with sales in a period (Office Performance Charts)',
    ability: 'stats.performance',
    byToken: 'figures',
    action: 'SEARCH',
    body: z
      .strictObject({
        /** Alternative to `start` and `end`. */
        period: filter(askedPeriodSchema),
        start: reportDaySchema.optional(),
        end: reportDaySchema.optional(),
        /** `month` draws every month that overlaps the period, in full. */
        groupBy: z.enum(chartGroupings).default('day'),
      })
      .transform(({ period, start, end, groupBy }) => ({
        start: start ?? period?.start ?? '',
        end: end ?? period?.end ?? '',
        groupBy,
      }))
      .refine(({ start }) => start !== '', { path: ['start'], ...missing })
      .refine(({ end }) => end !== '', { path: ['end'], ...missing })
      .refine(...startsBeforeItEnds)
      .refine((range) => !isValidRange(range) || daysInRange(range) <= MAX_DAYS[range.groupBy], {
        path: ['end'],
        message: 'A chart shows at most 100 days, or ten years by month',
      }),
    response: z.array(officeChartSchema),
  }),
}
