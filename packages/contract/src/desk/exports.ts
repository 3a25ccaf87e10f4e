import type { Ability } from '@tallyroom/domain/abilities'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { exportFormats } from '../export-formats.ts'
import { officePerformanceEndpoints } from '../figures/office-performance.ts'
import { statisticsEndpoints } from '../figures/statistics.ts'
import { topAgentsEndpoints } from '../figures/top-agents.ts'
import { whatIfEndpoints } from '../figures/what-if.ts'

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
    byToken: 'figures',
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
