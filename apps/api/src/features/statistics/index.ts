export { findKnownSiteIds } from './chosen-site.queries.ts'
export { visibilityFor } from './report-question.ts'
export {
  inReportSnapshot,
  type ReportDatabases,
  statsReport,
  streamInReportSnapshot,
} from './site-stats.ts'
export type { ReportCriteria, ReportName } from './reports.ts'
export { openReport } from './stats-report.ts'
export { statisticsRoutes } from './statistics.routes.ts'
export { totalsSource, type TotalsQuestion } from './totals-source.queries.ts'
