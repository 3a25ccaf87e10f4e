import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ipBlacklistSearchParams } from '../features/ip-blacklist/ip-blacklist-search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/app/settings/black-list-ip', replace: true })
  },
})

const ipBlacklistRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/black-list-ip',
  staticData: { title: 'IP Black List' },
  validateSearch: (raw: Raw) => ipBlacklistSearchParams.parse(raw),
  beforeLoad: needs('ip-blacklist.manage'),
  component: lazyRouteComponent(
    () => import('../features/ip-blacklist/IpBlacklistPage.tsx'),
    'IpBlacklistPage',
  ),
})

const addIpsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/black-list-ip/create',
  staticData: { title: 'Add Ip' },
  beforeLoad: needs('ip-blacklist.manage'),
  component: lazyRouteComponent(
    () => import('../features/ip-blacklist/IpLinesPages.tsx'),
    'AddIpsPage',
  ),
})

const deleteIpsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/black-list-ip/delete',
  staticData: { title: 'Delete Ips' },
  beforeLoad: needs('ip-blacklist.manage'),
  component: lazyRouteComponent(
    () => import('../features/ip-blacklist/IpLinesPages.tsx'),
    'DeleteIpsPage',
  ),
})

const optionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/options',
  staticData: { title: 'Options' },
  beforeLoad: needs('options.manage'),
  component: lazyRouteComponent(() => import('../features/options/OptionsPage.tsx'), 'OptionsPage'),
})

export const settingsRoutes = [
  settingsRoute,
  ipBlacklistRoute,
  addIpsRoute,
  deleteIpsRoute,
  optionsRoute,
] as const
