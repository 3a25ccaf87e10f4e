import { clickLogsEndpoints } from '@tallyroom/contract/click-logs'
import { type Route, route } from '../../http/route.ts'
import { makeClickIds } from '../clicks/index.ts'
import { type ClickLogServices, searchClickLogs } from './search-click-logs.ts'

export const clickLogsRoutes = (
  services: Omit<ClickLogServices, 'clickIds'> & { secret: Buffer },
): Route[] => {
  const clickIds = makeClickIds(services.secret)
  return [
    route(clickLogsEndpoints.searchClickLogs, ({ viewer, body }) =>
      searchClickLogs({ ...services, clickIds }, viewer, body),
    ),
  ]
}
