import { saleLogsEndpoints } from '@tallyroom/contract/sale-logs'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { searchSaleLogs } from './search-sale-logs.ts'

export const saleLogsRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(saleLogsEndpoints.searchSaleLogs, ({ viewer, body }) => searchSaleLogs(db, viewer, body)),
]
