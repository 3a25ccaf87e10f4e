import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { saleLogsSearchParams } from './sale-logs-search.ts'

export const saleLogsRoutes = [
  page({
    path: '/logs/sale-logs',
    title: 'Sale Logs',
    tab: 'Sale logs',
    ability: 'logs.sales',
    search: saleLogsSearchParams,
    component: lazyRouteComponent(() => import('./SaleLogsPage.tsx'), 'SaleLogsPage'),
  }),
  page({
    path: '/sales/$eventId',
    title: 'Sale',
    ability: 'logs.sales',
    component: lazyRouteComponent(() => import('./SalePage.tsx'), 'SalePage'),
  }),
] as const
