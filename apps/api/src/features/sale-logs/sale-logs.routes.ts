import { saleLogsEndpoints } from '@tallyroom/contract/sale-logs'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { makeClickIds } from '../clicks/index.ts'
import { searchSaleLogs } from './search-sale-logs.ts'

export const saleLogsRoutes = ({
  db,
  secret,
  formerSecrets,
}: Pick<Services, 'db' | 'secret' | 'formerSecrets'>): Route[] => {
  const services = { db, clickIds: makeClickIds(secret, formerSecrets) }
  return [
    route(saleLogsEndpoints.searchSaleLogs, ({ viewer, body }) =>
      searchSaleLogs(services, viewer, body),
    ),
  ]
}
