import { bellEndpoints } from '@tallyroom/contract/desk/bell'
import { queryOptions } from '@tanstack/react-query'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const POLL_MS = 30_000

/** How much is new, polled every 30 seconds while the tab is visible. */
export const bellCountQuery = queryOptions({
  ...queryOf(bellEndpoints.bellCount, {}),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
  // A failure would raise a toast every 30 seconds.
  meta: { silentErrors: true },
})

export const bellQuery = queryOf(bellEndpoints.bell, {})

export const refreshBell = refreshOf(bellEndpoints.bell, bellEndpoints.bellCount)
