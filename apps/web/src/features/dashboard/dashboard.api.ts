import { dashboardEndpoints, type Dashboard } from '@tallyroom/contract/dashboard'
import { siteManualsEndpoints } from '@tallyroom/contract/site-manuals'
import { queryOptions } from '@tanstack/react-query'
import { callAgain, type Marked } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { dashboard } = dashboardEndpoints

const POLL_MS = 10_000

/** The home page, polled every ten seconds while the tab is visible. If nothing changed, the answer is empty. */
export const dashboardQuery = queryOptions({
  queryKey: [dashboard.path] as const,
  queryFn: ({ client, queryKey, signal }) =>
    callAgain(dashboard, {}, client.getQueryData<Marked<Dashboard>>(queryKey), { signal }),
  select: ({ answer }) => answer,
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  // The page itself says that it is out of date, so there is no error message every ten seconds.
  meta: { ownErrors: true },
})

export const manualsQuery = queryOf(
  siteManualsEndpoints.siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: 60_000 },
)
