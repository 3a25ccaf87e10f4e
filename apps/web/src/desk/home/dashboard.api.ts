import { dashboardEndpoints } from '@tallyroom/contract/desk/dashboard'
import { demoVisitorsEndpoints } from '@tallyroom/contract/operate/demo-visitors'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { queryOptions } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { liveQuery, POLL_MS } from './live-query.ts'

/** Notes, news and boards. */
export const dashboardQuery = liveQuery(dashboardEndpoints.dashboard)

/**
 * The viewer's own part. A sale that reaches a tier must show within ten seconds, folding included.
 */
export const homeQuery = queryOptions({
  ...liveQuery(homeEndpoints.home),
  refetchInterval: ({ state }) => (state.data?.answer.avpStanding ? AVP_POLL_MS : POLL_MS),
})

const AVP_POLL_MS = 5_000

export const manualsQuery = queryOf(
  siteManualsEndpoints.siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: 60_000 },
)

/** Whether the demo has made-up visitors. For superadmins. Home does not wait for it. */
export const demoVisitorsQuery = queryOf(
  demoVisitorsEndpoints.demoVisitors,
  {},
  { staleTime: 60_000, meta: { silentErrors: true } },
)
