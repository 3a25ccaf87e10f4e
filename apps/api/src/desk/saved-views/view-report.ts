import type { RequestOf } from '@tallyroom/contract/endpoint'
import { idSchema } from '@tallyroom/contract/list'
import { sortFields } from '@tallyroom/contract/list-choices'
import { officePerformanceEndpoints } from '@tallyroom/contract/figures/office-performance'
import { reportDaySchema } from '@tallyroom/contract/periods'
import { reportOfView } from '@tallyroom/contract/desk/saved-views'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import {
  statColumns,
  statsGroupings,
  type StatsTableName,
  statsTables,
  criteriaOf,
} from '@tallyroom/contract/figures/stats-table'
import { subIdSchema, subNameSchema } from '@tallyroom/contract/sub-ids'
import { topAgentsEndpoints } from '@tallyroom/contract/figures/top-agents'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, isValidRange, type MaybeRange, periodOf } from '@tallyroom/domain/periods'
import { withDays } from '@tallyroom/domain/saved-views'
import { z } from 'zod'
import type { Viewer } from '../../access/viewer.ts'
import type { ReportCriteria } from '../../figures/index.ts'

const { top10 } = topAgentsEndpoints
const { officePerformance } = officePerformanceEndpoints

/** A report as a view requests it, and a URL that always shows these days. */
export type ViewReport = { url: string } & (
  | { name: StatsTableName; criteria: ReportCriteria }
  | { name: 'topAgents'; criteria: RequestOf<typeof top10>['body'] }
  | { name: 'performance'; criteria: RequestOf<typeof officePerformance>['body'] }
)

type Refusal = 'no access' | 'not a report'

const endpointOf = {
  sites: statisticsEndpoints.siteStats,
  avp: statisticsEndpoints.avpStats,
  payroll: statisticsEndpoints.payroll,
  payrollAvp: statisticsEndpoints.payrollAvp,
} satisfies Record<StatsTableName, unknown>

const choice = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
const id = choice(z.coerce.number().pipe(idSchema))

/** The URL of a statistics page. Its other parameters concern the page, not the figures. */
const searchSchema = z.object({
  groupBy: choice(z.enum(statsGroupings)),
  siteId: id,
  typeId: id,
  companyId: id,
  agentId: id,
  avp: choice(z.coerce.number().pipe(z.int().min(0).max(1000))),
  sub: choice(subNameSchema),
  subId: choice(subIdSchema),
  start: choice(reportDaySchema),
  end: choice(reportDaySchema),
  sortField: choice(z.union([z.enum(statColumns), z.string().regex(/^[1-9]\d{0,9}(_payout)?$/)])),
  sortAsc: choice(z.enum(['true', 'false']).transform((text) => text === 'true')),
})

/**
 * The report of a view for this viewer. Moving periods are relative to `day`. As on the page,
 * criteria that the viewer may not choose are dropped, and a URL without days gets those of a first
 * visit.
 */
export function reportFor(view: { url: string }, viewer: Viewer, day: Day): ViewReport | Refusal {
  const name = reportOfView(view.url)
  if (name === undefined) return 'not a report'
  const [path = '', query = ''] = view.url.split('?', 2)
  const asked = withDays(Object.fromEntries(new URLSearchParams(query)), day)
  const urlWith = (days: Record<string, Day>) =>
    `${path}?${new URLSearchParams({ ...asked, ...days }).toString()}`
  if (name === 'topAgents') return topAgentsFor(asked, viewer, day, urlWith)
  if (name === 'performance') return performanceFor(asked, viewer, day, urlWith)

  const { ability, body } = endpointOf[name]
  if (!can(viewer, ability)) return 'no access'
  const search = searchSchema.parse(asked)
  const table = statsTables[name]
  const { start, end, ...chosen } = criteriaOf(search, table, viewer)
  const days = daysOr({ start, end }, periodOf(day, 'week', table.isWeekly ? 1 : 0))
  const { sortField, sortAsc } = search
  const parsed = body?.safeParse({ ...chosen, ...days, sortField, sortAsc })
  if (!parsed?.success) return 'not a report'
  return { name, criteria: parsed.data, url: urlWith(days) }
}

type UrlWith = (days: Record<string, Day>) => string

const boardSearch = z.object({
  start: choice(reportDaySchema),
  end: choice(reportDaySchema),
  siteIds: choice(
    z
      .string()
      .regex(/^\d+(,\d+)*$/)
      .transform((text) => [...new Set(text.split(',').map(Number))])
      .pipe(z.array(idSchema).max(500)),
  ),
})

function topAgentsFor(asked: object, viewer: Viewer, day: Day, urlWith: UrlWith) {
  if (!can(viewer, top10.ability)) return 'no access'
  const { start, end, siteIds } = boardSearch.parse(asked)
  const days = daysOr({ start, end }, periodOf(day, 'week'))
  const parsed = top10.body?.safeParse({ ...days, siteIds })
  if (!parsed?.success) return 'not a report'
  return { name: 'topAgents' as const, criteria: parsed.data, url: urlWith(days) }
}

const performanceSearch = z.object({
  start1: choice(reportDaySchema),
  end1: choice(reportDaySchema),
  start2: choice(reportDaySchema),
  end2: choice(reportDaySchema),
  sortField: choice(z.enum(sortFields.officePerformance)),
  sortAsc: choice(z.enum(['true', 'false']).transform((text) => text === 'true')),
})

function performanceFor(asked: object, viewer: Viewer, day: Day, urlWith: UrlWith) {
  if (!can(viewer, officePerformance.ability)) return 'no access'
  const { start1, end1, start2, end2, ...order } = performanceSearch.parse(asked)
  const period1 = daysOr({ start: start1, end: end1 }, periodOf(day, 'beWeek'))
  const period2 = daysOr({ start: start2, end: end2 }, periodOf(day, 'beWeek', 1))
  const parsed = officePerformance.body?.safeParse({ period1, period2, ...order })
  if (!parsed?.success) return 'not a report'
  return {
    name: 'performance' as const,
    criteria: parsed.data,
    url: urlWith({
      start1: period1.start,
      end1: period1.end,
      start2: period2.start,
      end2: period2.end,
    }),
  }
}

/** The days of a URL, or those with which its page opens. */
function daysOr(asked: MaybeRange, first: DateRange): { start: Day; end: Day } {
  const { start, end } = isValidRange(asked) ? asked : first
  return { start, end }
}
