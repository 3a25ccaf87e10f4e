import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { queryOptions } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'

const POLL_MS = 5000

/** The number of agents who await approval, polled every 5 seconds while the tab is visible. */
export const unapprovedCountQuery = queryOptions({
  // A failure would raise a toast every 5 seconds.
  ...queryOf(approvalEndpoints.unapprovedCount, {}, { meta: { ownErrors: true } }),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
})
