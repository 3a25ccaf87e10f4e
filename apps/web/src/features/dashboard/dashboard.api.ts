import { dashboardEndpoints, type Dashboard } from '@tallyroom/contract/dashboard'
import { siteManualsEndpoints } from '@tallyroom/contract/site-manuals'
import { queryOptions } from '@tanstack/react-query'
import { callAgain, type Marked } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { dashboard } = dashboardEndpoints

const POLL_MS = 10_000

/** The home page, asked again every ten seconds while the tab is in view; unchanged, it costs an empty answer. */
export const dashboardQuery = queryOptions({
  queryKey: [dashboard.path] as const,
  queryFn: ({ client, queryKey, signal }) =>
    callAgain(dashboard, {}, client.getQueryData<Marked<Dashboard>>(queryKey), { signal }),
  select: ({ answer }) => answer,
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  // The page says itself that it is not up to date: a message every ten seconds helps nobody.
  meta: { ownErrors: true },
})

export const manualsQuery = queryOf(
  siteManualsEndpoints.siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: 60_000 },
)
