import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const payeeAccountsRoutes = [
  page({
    path: '/pay/account',
    title: 'Payment account',
    ability: 'pay.view-own',
    component: lazyRouteComponent(() => import('./OwnAccountPage.tsx'), 'OwnAccountPage'),
  }),
  page({
    path: '/pay/accounts',
    title: 'Accounts to confirm',
    tab: 'Accounts',
    ability: 'pay.manage',
    component: lazyRouteComponent(() => import('./ToConfirmPage.tsx'), 'ToConfirmPage'),
  }),
] as const
