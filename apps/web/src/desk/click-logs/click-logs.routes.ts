import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { clickLogsSearchParams } from './click-logs-search.ts'

export const clickLogsRoutes = [
  page({
    path: '/logs/click-outs',
    title: 'Click Logs',
    tab: 'Click outs',
    ability: 'logs.click-outs',
    search: clickLogsSearchParams,
    component: lazyRouteComponent(() => import('./ClickLogsPage.tsx'), 'ClickLogsPage'),
  }),
] as const
