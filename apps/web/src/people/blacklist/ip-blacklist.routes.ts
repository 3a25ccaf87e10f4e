import { lazyRouteComponent } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'
import { ipBlacklistSearchParams } from './ip-blacklist-search.ts'

export const ipBlacklistRoutes = [
  leadsTo('/settings', '/app/settings/black-list-ip'),
  page({
    path: '/settings/black-list-ip',
    title: 'IP Black List',
    tab: 'Black List Ip',
    ability: 'ip-blacklist.manage',
    search: ipBlacklistSearchParams,
    component: lazyRouteComponent(() => import('./IpBlacklistPage.tsx'), 'IpBlacklistPage'),
  }),
  page({
    path: '/settings/black-list-ip/create',
    title: 'Add Ip',
    ability: 'ip-blacklist.manage',
    component: lazyRouteComponent(() => import('./IpLinesPages.tsx'), 'AddIpsPage'),
  }),
  page({
    path: '/settings/black-list-ip/delete',
    title: 'Delete Ips',
    ability: 'ip-blacklist.manage',
    component: lazyRouteComponent(() => import('./IpLinesPages.tsx'), 'DeleteIpsPage'),
  }),
] as const
