import { clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { makeClickIds } from '../../tracking/index.ts'
import { type ClickLogServices, searchClickLogs } from './search-click-logs.ts'

export const clickLogsRoutes = ({
  secret,
  formerSecrets,
  ...services
}: Omit<ClickLogServices, 'clickIds'> & Pick<Services, 'secret' | 'formerSecrets'>): Route[] => {
  const clickIds = makeClickIds(secret, formerSecrets)
  return [
    route(clickLogsEndpoints.searchClickLogs, ({ viewer, body }) =>
      searchClickLogs({ ...services, clickIds }, viewer, body),
    ),
  ]
}
