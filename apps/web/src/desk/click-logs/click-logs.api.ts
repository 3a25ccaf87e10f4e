import { clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'

const { searchClickLogs: search } = clickLogsEndpoints

type ClickLogsRequest = InputOf<typeof search>['body']

export const clickLogsQuery = (body: ClickLogsRequest) =>
  queryOptions({
    ...queryOf(search, { body }),
    placeholderData: keepPreviousData,
    // The list shows the error in place of its rows.
    meta: { ownErrors: true },
  })

/** Refetches the list, so that new entries show. */
export const refreshClickLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
