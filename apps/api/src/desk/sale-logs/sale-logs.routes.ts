import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { makeClickIds } from '../../tracking/index.ts'
import { salePage } from './sale-page.ts'
import { searchSaleLogs } from './search-sale-logs.ts'

export const saleLogsRoutes = ({
  secret,
  formerSecrets,
  ...others
}: Pick<
  Services,
  'db' | 'reportDb' | 'clock' | 'config' | 'secret' | 'formerSecrets'
>): Route[] => {
  const services = { ...others, clickIds: makeClickIds(secret, formerSecrets) }
  return [
    route(saleLogsEndpoints.searchSaleLogs, ({ viewer, body }) =>
      searchSaleLogs(services, viewer, body),
    ),

    route(salesEndpoints.sale, ({ viewer, params }) => salePage(services, viewer, params.eventId)),
  ]
}
