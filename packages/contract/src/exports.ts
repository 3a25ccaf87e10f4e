import type { Ability } from '@tallyroom/domain/abilities'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { officePerformanceEndpoints } from './office-performance.ts'
import { statisticsEndpoints } from './statistics.ts'
import { topAgentsEndpoints } from './top-agents.ts'
import { whatIfEndpoints } from './what-if.ts'

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Maximum rows of an XLSX file. A sheet holds 1,048,576 including headings and totals. */
export const MAX_XLSX_ROWS = 1_000_000

/** A report as a file, in full: same criteria (paging, comparison and points are ignored) and same ability as the report. */
const exportOf = <Criteria extends z.ZodType, const Needed extends Ability>(
  { path, ability, body }: { path: `/api/${string}`; ability: Needed; body?: Criteria },
  title: string,
) => {
  if (!body) throw new TypeError('a report has criteria')
  return endpoint({
    method: 'POST',
    path: `${path}/export`,
    summary: `Export ${title} to a spreadsheet file: the full result with its criteria and totals`,
    ability,
    action: 'EXPORT',
    body: z.strictObject({ format: z.enum(exportFormats), criteria: body }),
    /** The file. If the export fails midway, the response ends in an error. */
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
  exportWhatIf: exportOf(whatIfEndpoints.whatIf, 'What if'),
  exportOfficeCharts: exportOf(
    officePerformanceEndpoints.officeCharts,
    'Office Performance Charts',
  ),
}
