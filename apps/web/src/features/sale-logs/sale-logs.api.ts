import type { InputOf } from '@tallyroom/contract/endpoint'
import { saleLogsEndpoints } from '@tallyroom/contract/sale-logs'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { searchSaleLogs: search } = saleLogsEndpoints

type SaleLogsRequest = InputOf<typeof search>['body']

/** Specification 2, section 9. */
const REFRESH_MS = 60_000

export const searchSaleLogs = (body: SaleLogsRequest) => call(search, { body })

/** Read again every minute while the page is open and its tab is looked at; at once when one comes back later than that. */
export const saleLogsQuery = (body: SaleLogsRequest) =>
  queryOptions({
    ...queryOf(search, { body }),
    placeholderData: keepPreviousData,
    // The frame of the list says it, where the rows would stand.
    meta: { ownErrors: true },
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })

export const refreshSaleLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
