import type { Ability } from '@tallyroom/domain/abilities'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import {
  type AnyRoute,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import { z } from 'zod'
import { agentsPageSearchSchema } from '../../people/agents/agents-search.ts'
import { clickLogsSearchParams } from '../../desk/click-logs/click-logs-search.ts'
import { linkTypesSearch } from '../../catalogue/link-types/link-types-search.ts'
import { linksSearchSchema } from '../../catalogue/links/links-search.ts'
import { loginLogsSearchParams } from '../../desk/login-logs/login-logs-search.ts'
import { statementsSearch } from '../../pay/statements/statements-search.ts'
import { saleLogsSearchParams } from '../../desk/sale-logs/sale-logs-search.ts'
import { siteListSearchSchema } from '../../people/site-list/site-list-search.ts'
import { frameRoute } from '../../lib/pages/page.ts'
import { searchInt } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/*
 * The pages of single offices, agents and sites: a header, and a child route for each tab. A tab is
 * the list of its feature, which narrows itself to the object (`shared/within`).
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
  /** The name of the page. The window title also has the object's. */
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
    () => import('../../desk/sale-logs/SaleLogsPage.tsx'),
    'SaleLogsPage',
  ),
} as const

const clicks = {
  path: '/clicks',
  tab: 'Clicks',
  ability: 'logs.click-outs',
  search: clickLogsSearchParams,
  component: lazyRouteComponent(
    () => import('../../desk/click-logs/ClickLogsPage.tsx'),
    'ClickLogsPage',
  ),
} as const

const agents = {
  path: '/agents',
  tab: 'Agents',
  ability: 'agents.view',
  search: agentsPageSearchSchema,
  component: lazyRouteComponent(() => import('../../people/agents/AgentsPage.tsx'), 'AgentsPage'),
} as const

const links = {
  path: '/links',
  tab: 'Links',
  ability: 'links.generate',
  search: linksSearchSchema,
  component: lazyRouteComponent(() => import('../../catalogue/links/LinksPage.tsx'), 'LinksPage'),
} as const

const officeSites = {
  path: '/sites',
  tab: 'Sites',
  ability: 'offices.view',
  search: siteListSearchSchema,
  component: lazyRouteComponent(
    () => import('../../people/site-list/OfficeSitesPage.tsx'),
    'OfficeSitesPage',
  ),
} as const

const agentSites = {
  path: '/sites',
  tab: 'Sites',
  search: siteListSearchSchema,
  component: lazyRouteComponent(() => import('./AgentTabs.tsx'), 'AgentSitesTab'),
} as const

const rates = {
  path: '/rates',
  tab: 'Rates',
  ability: 'link-types.view',
  search: linkTypesSearch,
  component: lazyRouteComponent(
    () => import('../../catalogue/link-types/LinkTypesPage.tsx'),
    'RatesTab',
  ),
} as const

const signIns = {
  path: '/sign-ins',
  tab: 'Sign-ins',
  ability: 'logs.login',
  search: loginLogsSearchParams,
  component: lazyRouteComponent(
    () => import('../../desk/login-logs/LoginLogsPage.tsx'),
    'LoginLogsPage',
  ),
} as const

const agentSignIns = {
  ...signIns,
  ability: 'signed-in',
  component: lazyRouteComponent(() => import('./AgentTabs.tsx'), 'AgentSignInsTab'),
} as const

const statements = {
  path: '/statements',
  tab: 'Statements',
  ability: 'pay.view',
  search: statementsSearch,
  component: lazyRouteComponent(() => import('../../pay/pages.ts'), 'StatementsPage'),
} as const

const alarms = {
  path: '/alarms',
  tab: 'Alarms',
  ability: 'alarms.view',
  search: z.object({ typeId: searchInt(1, MAX_ID) }),
  component: lazyRouteComponent(() => import('../../desk/alarms/ObjectAlarms.tsx'), 'ObjectAlarms'),
} as const

const history = {
  path: '/history',
  tab: 'History',
  ability: 'logs.common',
  search: z.object(listSearch(['date'])),
  component: lazyRouteComponent(
    () => import('../../desk/common-logs/HistoryTab.tsx'),
    'HistoryTab',
  ),
} as const

export const objectsRoutes = [
  officeRoute.addChildren([
    officeTab(overview),
    officeTab(agents),
    officeTab(sales),
    officeTab(clicks),
    officeTab(officeSites),
    officeTab(signIns),
    officeTab(statements),
    officeTab(alarms),
    officeTab(history),
  ]),
  agentRoute.addChildren([
    agentTab(overview),
    agentTab(sales),
    agentTab(clicks),
    agentTab(links),
    agentTab(agentSites),
    agentTab(agentSignIns),
    agentTab(statements),
    agentTab(history),
  ]),
  siteRoute.addChildren([
    siteTab(overview),
    siteTab(sales),
    siteTab(clicks),
    siteTab(links),
    siteTab(rates),
    siteTab(alarms),
    siteTab(history),
  ]),
] as const
