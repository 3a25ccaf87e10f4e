export { siteStats } from './site-stats.ts'
export { statisticsRoutes } from './statistics.routes.ts'
