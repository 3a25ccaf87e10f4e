import { statisticsEndpoints } from '@tallyroom/contract/statistics'
import { route, type Route } from '../../http/route.ts'
import { siteStats, type ReportDatabases } from './site-stats.ts'

export const statisticsRoutes = (databases: ReportDatabases): Route[] => [
  route(statisticsEndpoints.siteStats, ({ viewer, body }) => siteStats(databases, viewer, body)),
]
