import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { domainsPageSearchSchema } from '../features/preferred-domains/preferred-domains-search.ts'
import { appRoute, needs } from './app-route.ts'

const domainsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/domains',
  staticData: { title: 'Domains' },
  validateSearch: (raw: Record<string, unknown>) => domainsPageSearchSchema.parse(raw),
  beforeLoad: needs('domains.manage'),
  component: lazyRouteComponent(
    () => import('../features/preferred-domains/DomainsPage.tsx'),
    'DomainsPage',
  ),
})

const createDomainRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/domains/create',
  staticData: { title: 'Add Preferred Domain' },
  beforeLoad: needs('domains.manage'),
  component: lazyRouteComponent(
    () => import('../features/preferred-domains/DomainFormPage.tsx'),
    'CreateDomainPage',
  ),
})

const editDomainRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/domains/$id',
  staticData: { title: 'Preferred Domain' },
  beforeLoad: needs('domains.manage'),
  component: lazyRouteComponent(
    () => import('../features/preferred-domains/DomainFormPage.tsx'),
    'EditDomainPage',
  ),
})

/** The host names of offices' links. */
export const domainRoutes = [domainsRoute, createDomainRoute, editDomainRoute] as const
