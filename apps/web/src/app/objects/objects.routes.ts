import type { Ability } from '@tallyroom/domain/abilities'
import {
  type AnyRoute,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import type { z } from 'zod'
import { clickLogsSearchParams } from '../../features/click-logs/click-logs-search.ts'
import { saleLogsSearchParams } from '../../features/sale-logs/sale-logs-search.ts'
import { frameRoute } from '../../lib/page.ts'

/*
 * The pages of single offices, agents and sites: a header, and a tab for each route below it. A tab is the list of
 * its feature, which narrows itself to the object (`pickers/within`).
 */

const officeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/offices/$companyId',
  staticData: { title: 'Office', isObject: true },
  component: lazyRouteComponent(() => import('./OfficePage.tsx'), 'OfficePage'),
})

const agentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/agents/$agentId',
  staticData: { title: 'Agent', isObject: true },
  component: lazyRouteComponent(() => import('./AgentPage.tsx'), 'AgentPage'),
})

const siteRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sites/$siteId',
  staticData: { title: 'Site', isObject: true },
  component: lazyRouteComponent(() => import('./SitePage.tsx'), 'SitePage'),
})

interface Tab<Path extends string, Search extends object> {
  path: Path
  /** Its name. The window title is the object's. */
  tab: string
  ability?: Ability
  search?: z.ZodType<Search>
  component: RouteComponent
}

const tabOf =
  <Parent extends AnyRoute>(parent: Parent, title: string) =>
  <const Path extends string, Search extends object = object>({
    path,
    search: schema,
    component,
    ...facts
  }: Tab<Path, Search>) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      staticData: { title, ...facts },
      validateSearch: (raw: Record<string, unknown>): Search =>
        schema ? schema.parse(raw) : ({} as Search),
      component,
    })

const officeTab = tabOf(officeRoute, 'Office')
const agentTab = tabOf(agentRoute, 'Agent')
const siteTab = tabOf(siteRoute, 'Site')

const overview = {
  path: '/',
  tab: 'Overview',
  component: lazyRouteComponent(() => import('./OverviewTab.tsx'), 'OverviewTab'),
} as const

const sales = {
  path: '/sales',
  tab: 'Sales',
  ability: 'logs.sales',
  search: saleLogsSearchParams,
  component: lazyRouteComponent(
    () => import('../../features/sale-logs/SaleLogsPage.tsx'),
    'SaleLogsPage',
  ),
} as const

const clicks = {
  path: '/clicks',
  tab: 'Clicks',
  ability: 'logs.click-outs',
  search: clickLogsSearchParams,
  component: lazyRouteComponent(
    () => import('../../features/click-logs/ClickLogsPage.tsx'),
    'ClickLogsPage',
  ),
} as const

export const objectsRoutes = [
  officeRoute.addChildren([officeTab(overview), officeTab(sales), officeTab(clicks)]),
  agentRoute.addChildren([agentTab(overview), agentTab(sales), agentTab(clicks)]),
  siteRoute.addChildren([siteTab(overview), siteTab(sales), siteTab(clicks)]),
] as const
