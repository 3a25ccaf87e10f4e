import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { avpWeekSearch } from './avp-week-search.ts'

export const avpWeekRoutes = [
  page({
    path: '/stats/avp-week',
    title: 'AVP this week',
    ability: 'stats.avp',
    search: avpWeekSearch,
    component: lazyRouteComponent(() => import('./AvpWeekPage.tsx'), 'AvpWeekPage'),
  }),
] as const
