import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { loginLogsSearchParams } from './login-logs-search.ts'

export const loginLogsRoutes = [
  page({
    path: '/logs/login',
    title: 'Login Logs',
    tab: 'Login',
    ability: 'logs.login',
    search: loginLogsSearchParams,
    component: lazyRouteComponent(() => import('./LoginLogsPage.tsx'), 'LoginLogsPage'),
  }),
] as const
