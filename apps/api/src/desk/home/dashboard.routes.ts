import { dashboardEndpoints } from '@tallyroom/contract/desk/dashboard'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { route, type Route } from '../../http/route.ts'
import { makeDashboard, type DashboardParts } from './dashboard.ts'
import { type HomeParts, makeHome } from './home.ts'
import { readFirstPayment } from './setup.ts'

export function dashboardRoutes(parts: DashboardParts & HomeParts): Route[] {
  const dashboard = makeDashboard(parts)
  const home = makeHome(parts)
  return [
    route(dashboardEndpoints.dashboard, ({ viewer }) => dashboard(viewer)),
    route(homeEndpoints.firstPayment, () => readFirstPayment(parts)),
    route(homeEndpoints.home, ({ viewer }) => home(viewer)),
  ]
}
