import type { InputOf } from '@tallyroom/contract/endpoint'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'

const { searchSaleLogs: search } = saleLogsEndpoints

type SaleLogsRequest = InputOf<typeof search>['body']

/** Specification 2, section 9. */
const REFRESH_MS = 60_000

/** A sale with its history. The page shows errors in place of it. */
export const saleQuery = (eventId: string) =>
  queryOptions({
    ...queryOf(salesEndpoints.sale, { params: { eventId } }),
    meta: { ownErrors: true },
  })

/** Polled every minute while the tab is visible, and when the tab is shown again after more than a minute. */
export const saleLogsQuery = (body: SaleLogsRequest) =>
  queryOptions({
    ...queryOf(search, { body }),
    placeholderData: keepPreviousData,
    // The list shows the error in place of its rows.
    meta: { ownErrors: true },
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })

export const refreshSaleLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
