import type { BodyOf } from '@tallyroom/contract/endpoint'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import { queryOptions } from '@tanstack/react-query'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { searchSaleLogs: search } = saleLogsEndpoints

/** Specification 2, section 9. */
const REFRESH_MS = 60_000

/** A sale with its history. The page shows errors in place of it. */
export const saleQuery = (eventId: string) =>
  queryOf(salesEndpoints.sale, { params: { eventId } }, { meta: { ownErrors: true } })

/** Polled every minute while the tab is visible, and when the tab is shown again after more than a minute. */
export const saleLogsQuery = (body: BodyOf<typeof search>) =>
  queryOptions({
    // The list shows the error in place of its rows.
    ...queryOf(
      search,
      { body },
      { keepPrevious: true, staleTime: REFRESH_MS, meta: { ownErrors: true } },
    ),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })

export const refreshSaleLogs = refreshOf(search)
