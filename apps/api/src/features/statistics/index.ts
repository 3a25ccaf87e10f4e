export { findKnownSiteIds } from './chosen-site.queries.ts'
export { type ReportDatabases, siteStats } from './site-stats.ts'
export { statisticsRoutes } from './statistics.routes.ts'
export { totalsSource, type TotalsQuestion } from './totals-source.queries.ts'
