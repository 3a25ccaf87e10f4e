import type { Ability } from '@tallyroom/domain/abilities'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { officePerformanceEndpoints } from './office-performance.ts'
import { statisticsEndpoints } from './statistics.ts'
import { topAgentsEndpoints } from './top-agents.ts'

/** What a table can be saved as. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The most rows of an XLSX file. A sheet holds 1,048,576, of which some are headings and totals. */
export const MAX_XLSX_ROWS = 1_000_000

/** The answer that a report gives, whole and as a file: the same criteria, the same viewers. A criterion's page is not looked at. */
const exportOf = <Criteria extends z.ZodType, const Needed extends Ability>(
  { path, ability, body }: { path: `/api/${string}`; ability: Needed; body?: Criteria },
  title: string,
) => {
  if (!body) throw new TypeError('a report has criteria')
  return endpoint({
    method: 'POST',
    path: `${path}/export`,
    summary: `${title} as a file: the whole result, with its criteria and totals, for spreadsheets`,
    ability,
    action: 'EXPORT',
    body: z.strictObject({ format: z.enum(exportFormats), criteria: body }),
    /** The file. One that was cut short on its way is an answer that ends in an error. */
    response: z.string(),
  })
}

export const exportsEndpoints = {
  exportSiteStats: exportOf(statisticsEndpoints.siteStats, 'Sites Statistics'),
  exportAvpStats: exportOf(statisticsEndpoints.avpStats, 'Sites AVP Statistics'),
  exportPayroll: exportOf(statisticsEndpoints.payroll, 'Payroll'),
  exportPayrollAvp: exportOf(statisticsEndpoints.payrollAvp, 'Payroll AVP'),
  exportTop10: exportOf(topAgentsEndpoints.top10, 'Top Agents'),
  exportOfficePerformance: exportOf(
    officePerformanceEndpoints.officePerformance,
    'Office Performance',
  ),
  exportOfficeCharts: exportOf(
    officePerformanceEndpoints.officeCharts,
    'The numbers of Office Performance Charts',
  ),
}
