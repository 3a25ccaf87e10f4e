import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { refreshOf } from '../../lib/queries.ts'

const { searchCommonLogs: search, downloadCommonLogs } = commonLogsEndpoints

/** Downloads the whole result as a text file with a timestamp in its name. */
export async function exportCommonLogs(body: BodyOf<typeof downloadCommonLogs>) {
  const text = await call(downloadCommonLogs, { body })
  download(`export_data_${Date.now()}.txt`, text, 'text/plain;charset=utf-8')
}

/** Refetches the list, so that new entries show. */
export const refreshCommonLogs = refreshOf(search)
