import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const dashboardRoutes = [
  page({
    path: '/home',
    title: 'Home',
    ability: 'dashboard.view',
    load: async (client) => (await import('./load-home.ts')).loadHome(client),
    component: lazyRouteComponent(() => import('./HomePage.tsx'), 'HomePage'),
  }),
] as const
