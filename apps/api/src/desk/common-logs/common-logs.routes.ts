import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import { type Route, route, textRoute } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { exportCommonLogs, searchCommonLogs } from './search-common-logs.ts'

export const commonLogsRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(commonLogsEndpoints.searchCommonLogs, ({ viewer, body }) =>
    searchCommonLogs(db, viewer, body),
  ),
  textRoute(commonLogsEndpoints.downloadCommonLogs, ({ viewer, body }) =>
    exportCommonLogs(db, viewer, body),
  ),
]
