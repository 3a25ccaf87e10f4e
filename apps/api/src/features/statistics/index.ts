export type { ReportCriteria } from './report-criteria.ts'
export { findKnownSiteIds } from './report.queries.ts'
export { openReport, statsReport } from './report.ts'
export { statisticsRoutes } from './statistics.routes.ts'
