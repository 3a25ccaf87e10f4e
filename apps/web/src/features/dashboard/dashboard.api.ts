import { dashboardEndpoints } from '@tallyroom/contract/dashboard'
import { demoVisitorsEndpoints } from '@tallyroom/contract/demo-visitors'
import { homeEndpoints } from '@tallyroom/contract/home'
import { siteManualsEndpoints } from '@tallyroom/contract/site-manuals'
import { queryOf } from '../../lib/queries.ts'
import { liveQuery } from './live-query.ts'

/** Notes, news and boards. */
export const dashboardQuery = liveQuery(dashboardEndpoints.dashboard)

/** What is the viewer's own. */
export const homeQuery = liveQuery(homeEndpoints.home)

export const manualsQuery = queryOf(
  siteManualsEndpoints.siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: 60_000 },
)

/** Whether made-up visitors are coming into the demo. For superadmins; without it, Home is whole all the same. */
export const demoVisitorsQuery = queryOf(
  demoVisitorsEndpoints.demoVisitors,
  {},
  { staleTime: 60_000, meta: { silentErrors: true } },
)
