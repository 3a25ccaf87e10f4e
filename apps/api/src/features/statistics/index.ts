export { findKnownSiteIds } from './chosen-site.queries.ts'
export type { ReportCriteria } from './report-question.ts'
export { openReport, statsReport } from './report.ts'
export { statisticsRoutes } from './statistics.routes.ts'
