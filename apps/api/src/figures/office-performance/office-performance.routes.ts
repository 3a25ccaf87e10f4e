import { officePerformanceEndpoints } from '@tallyroom/contract/figures/office-performance'
import { route, type Route } from '../../http/route.ts'
import type { TotalsDatabases } from '../../totals/index.ts'
import { officeCharts } from './office-charts.ts'
import { officePerformance } from './office-performance.ts'

export const officePerformanceRoutes = (databases: TotalsDatabases): Route[] => [
  route(officePerformanceEndpoints.officePerformance, ({ viewer, body }) =>
    officePerformance(databases, viewer, body),
  ),
  route(officePerformanceEndpoints.officeCharts, ({ viewer, body }) =>
    officeCharts(databases, viewer, body),
  ),
]
