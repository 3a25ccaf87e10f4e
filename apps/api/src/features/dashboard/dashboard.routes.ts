import { dashboardEndpoints } from '@tallyroom/contract/dashboard'
import { route, type Route } from '../../http/route.ts'
import { makeDashboard, type DashboardParts } from './dashboard.ts'

export function dashboardRoutes(parts: DashboardParts): Route[] {
  const dashboard = makeDashboard(parts)
  return [route(dashboardEndpoints.dashboard, ({ viewer }) => dashboard(viewer))]
}
