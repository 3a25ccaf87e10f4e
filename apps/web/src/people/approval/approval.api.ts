import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { queryOptions } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const { unapproved, unapprovedCount } = approvalEndpoints

export const unapprovedQuery = (order: ListOrder<'username' | 'officeName' | 'regTime'>) =>
  queryOf(unapproved, { query: wireSort(order) }, { keepPrevious: true })

const POLL_MS = 5000

/** The number of agents who await approval, polled every 5 seconds while the tab is visible. */
export const unapprovedCountQuery = queryOptions({
  ...queryOf(unapprovedCount, {}),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  // A failure would raise a toast every 5 seconds.
  meta: { ownErrors: true },
})
