import { idSchema } from '@tallyroom/contract/list'
import { reportDaySchema } from '@tallyroom/contract/periods'
import { reportOfView } from '@tallyroom/contract/saved-views'
import { statisticsEndpoints } from '@tallyroom/contract/statistics'
import { criteriaOf } from '@tallyroom/contract/stats-criteria'
import {
  statColumns,
  statsGroupings,
  type StatsTableName,
  statsTables,
} from '@tallyroom/contract/stats-table'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange, periodOf } from '@tallyroom/domain/periods'
import { withDays } from '@tallyroom/domain/saved-views'
import { z } from 'zod'
import type { Viewer } from '../../access/viewer.ts'
import type { ReportCriteria } from '../statistics/index.ts'

/** A report as a view asks for it, and the URL that shows the same days whenever it is opened. */
export type ViewReport = { name: StatsTableName; criteria: ReportCriteria; url: string }

const endpointOf = {
  sites: statisticsEndpoints.siteStats,
  avp: statisticsEndpoints.avpStats,
  payroll: statisticsEndpoints.payroll,
  payrollAvp: statisticsEndpoints.payrollAvp,
} satisfies Record<StatsTableName, unknown>

const choice = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
const id = choice(z.coerce.number().pipe(idSchema))

/** A statistics page's URL. Anything else in it is about the page, not the figures. */
const searchSchema = z.object({
  groupBy: choice(z.enum(statsGroupings)),
  siteId: id,
  typeId: id,
  companyId: id,
  agentId: id,
  avp: choice(z.coerce.number().pipe(z.int().min(0).max(1000))),
  start: choice(reportDaySchema),
  end: choice(reportDaySchema),
  sortField: choice(z.union([z.enum(statColumns), z.string().regex(/^[1-9]\d{0,9}(_payout)?$/)])),
  sortAsc: choice(z.enum(['true', 'false']).transform((text) => text === 'true')),
})

/**
 * The report of a view for this viewer. Moving periods count from `day`. As on the page, choices that the viewer may
 * not make are left out, and a URL without days is the current week, or the last one where tiers go by weeks.
 */
export function reportFor(
  view: { url: string },
  viewer: Viewer,
  day: Day,
): ViewReport | 'no access' | 'not a report' {
  const name = reportOfView(view.url)
  if (name === undefined) return 'not a report'
  const { ability, body } = endpointOf[name]
  if (!can(viewer, ability)) return 'no access'
  const [path = '', query = ''] = view.url.split('?', 2)
  const asked = withDays(Object.fromEntries(new URLSearchParams(query)), day)
  const search = searchSchema.parse(asked)
  const table = statsTables[name]
  const { start, end, ...chosen } = criteriaOf(search, table, viewer)
  const range = { start, end }
  const period = isValidRange(range) ? range : periodOf(day, 'week', table.isWeekly ? 1 : 0)
  const days = { start: period.start, end: period.end }
  const { sortField, sortAsc } = search
  const parsed = body?.safeParse({ ...chosen, ...days, sortField, sortAsc })
  if (!parsed?.success) return 'not a report'
  return {
    name,
    criteria: parsed.data,
    url: `${path}?${new URLSearchParams({ ...asked, ...days }).toString()}`,
  }
}
