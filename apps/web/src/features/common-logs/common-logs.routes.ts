import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/page.ts'
import { commonLogsSearchParams } from './common-logs-search.ts'

export const commonLogsRoutes = [
  page({
    path: '/logs/common-logs',
    title: 'Common Logs',
    tab: 'Common logs',
    ability: 'logs.common',
    search: commonLogsSearchParams,
    component: lazyRouteComponent(() => import('./CommonLogsPage.tsx'), 'CommonLogsPage'),
  }),
] as const
