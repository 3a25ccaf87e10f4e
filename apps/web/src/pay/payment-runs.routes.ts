import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../lib/pages/page.ts'

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
