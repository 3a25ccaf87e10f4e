import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { queryOf } from '../../lib/queries.ts'

const { searchCommonLogs: search, downloadCommonLogs } = commonLogsEndpoints

type CommonLogsRequest = InputOf<typeof search>['body']

export const commonLogsQuery = (body: CommonLogsRequest) =>
  queryOptions({
    ...queryOf(search, { body }),
    placeholderData: keepPreviousData,
    // The list shows the error in place of its rows.
    meta: { ownErrors: true },
  })

/** Downloads the whole result as a text file with a timestamp in its name. */
export async function exportCommonLogs(body: CommonLogsRequest) {
  const text = await call(downloadCommonLogs, { body })
  download(`export_data_${Date.now()}.txt`, text, 'text/plain;charset=utf-8')
}

/** Refetches the list, so that new entries show. */
export const refreshCommonLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
