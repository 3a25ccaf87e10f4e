import type { SiteStats, StatsCriteria } from '@tallyroom/contract/statistics'
import type { Viewer } from '../../access/viewer.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import type { ReportCriteria, ReportName } from './reports.ts'
import { openReport } from './stats-report.ts'

/** One page of a report's rows and the sums of its whole result. */
export const statsReport = (
  databases: TotalsDatabases,
  viewer: Viewer,
  name: ReportName,
  criteria: ReportCriteria,
): Promise<SiteStats> =>
  readTotals(databases, async (tx, today) => {
    const report = await openReport(tx, viewer, name, criteria, today)
    const { page, pageSize } = criteria
    return {
      page: await report.readRows({ offset: (page - 1) * pageSize, limit: pageSize }),
      ...(await report.readOverall()),
    }
  })

/** Sites Statistics (specification 2, section 2). */
export const siteStats = (
  databases: TotalsDatabases,
  viewer: Viewer,
  criteria: StatsCriteria,
): Promise<SiteStats> => statsReport(databases, viewer, 'sites', criteria)
