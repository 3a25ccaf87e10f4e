import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { searchLoginLogs } from './search-login-logs.ts'

export const loginLogsRoutes = (services: Services): Route[] => [
  route(loginLogsEndpoints.searchLoginLogs, ({ viewer, body }) =>
    searchLoginLogs(services, viewer, body),
  ),
]
