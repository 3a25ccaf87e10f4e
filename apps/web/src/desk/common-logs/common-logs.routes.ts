import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'
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
  page({
    path: '/pay/runs/$runId/history',
    title: 'History of a payment run',
    ability: 'pay.manage',
    search: z.object(listSearch(['date'])),
    isRecord: true,
    component: lazyRouteComponent(() => import('./HistoryTab.tsx'), 'RunHistoryPage'),
  }),
  page({
    path: '/settings/pay-files/$templateId/history',
    title: 'History of a pay file',
    ability: 'pay.manage',
    search: z.object(listSearch(['date'])),
    isRecord: true,
    component: lazyRouteComponent(() => import('./HistoryTab.tsx'), 'PayFileHistoryPage'),
  }),
] as const
