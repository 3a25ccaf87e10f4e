import { officePerformanceEndpoints } from '@tallyroom/contract/office-performance'
import { route, type Route } from '../../http/route.ts'
import type { ReportDatabases } from '../statistics/index.ts'
import { officeCharts } from './office-charts.ts'
import { officePerformance } from './office-performance.ts'

export const officePerformanceRoutes = (databases: ReportDatabases): Route[] => [
  route(officePerformanceEndpoints.officePerformance, ({ viewer, body }) =>
    officePerformance(databases, viewer, body),
  ),
  route(officePerformanceEndpoints.officeCharts, ({ viewer, body }) =>
    officeCharts(databases, viewer, body),
  ),
]
