import { clickLogsEndpoints } from '@tallyroom/contract/click-logs'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { searchClickLogs: search } = clickLogsEndpoints

type ClickLogsRequest = InputOf<typeof search>['body']

export const searchClickLogs = (body: ClickLogsRequest) => call(search, { body })

export const clickLogsQuery = (body: ClickLogsRequest) =>
  queryOptions({
    ...queryOf(search, { body }),
    placeholderData: keepPreviousData,
    // The frame of the list says it, where the rows would stand.
    meta: { ownErrors: true },
  })

/** The list is read again: there is always more. */
export const refreshClickLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
