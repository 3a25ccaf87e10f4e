import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../lib/pages/page.ts'
import { searchInt, searchText } from '../lib/pages/search.ts'

export const paymentRunsRoutes = [
  page({
    path: '/pay/runs',
    title: 'Payment runs',
    ability: 'pay.manage',
    component: lazyRouteComponent(() => import('./runs/PaymentRunsPage.tsx'), 'PaymentRunsPage'),
  }),
  page({
    path: '/pay/runs/prepare',
    title: 'Prepare a payment run',
    ability: 'pay.manage',
    isRecord: true,
    search: z.object({ of: searchInt(1, 2 ** 53 - 1), file: searchText(100) }),
    component: lazyRouteComponent(() => import('./runs/PrepareRunPage.tsx'), 'PrepareRunPage'),
  }),
  page({
    path: '/pay/runs/$runId',
    title: 'Payment run',
    ability: 'pay.manage',
    component: lazyRouteComponent(() => import('./runs/RunPage.tsx'), 'RunPage'),
  }),
  page({
    path: '/settings/pay-files',
    title: 'Pay files',
    ability: 'pay.manage',
    component: lazyRouteComponent(() => import('./files/PayFilesPage.tsx'), 'PayFilesPage'),
  }),
] as const
