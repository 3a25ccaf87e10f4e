import { lazyRouteComponent } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'

export const announcementsRoutes = [
  leadsTo('/news', '/app/news/edit'),
  page({
    path: '/news/edit',
    title: 'Edit News',
    ability: 'news.edit',
    component: lazyRouteComponent(() => import('./NewsPage.tsx'), 'NewsPage'),
  }),
  page({
    path: '/news/alerts',
    title: 'Edit Alert',
    ability: 'alerts.edit',
    component: lazyRouteComponent(() => import('./AlertPage.tsx'), 'AlertPage'),
  }),
] as const
