import { commonLogsEndpoints } from '@tallyroom/contract/common-logs'
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
    // The frame of the list says it, where the rows would stand.
    meta: { ownErrors: true },
  })

/** Saves the whole result as text, named after the moment. */
export async function exportCommonLogs(body: CommonLogsRequest) {
  const text = await call(downloadCommonLogs, { body })
  download(`export_data_${Date.now()}.txt`, text, 'text/plain;charset=utf-8')
}

/** The list is read again: there is always more. */
export const refreshCommonLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
