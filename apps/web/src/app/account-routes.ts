import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { adminsPageSearchSchema } from '../features/admins/admins-search.ts'
import { agentsPageSearchSchema } from '../features/agents/agents-search.ts'
import { approvalPageSearchSchema } from '../features/approval/approval-search.ts'
import { officesPageSearchSchema } from '../features/offices/offices-search.ts'
import { siteListSearchSchema } from '../features/site-list/site-list-search.ts'
import { searchInt } from '../lib/search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

const officesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices',
  beforeLoad: () => {
    throw redirect({ to: '/app/offices/offices', replace: true })
  },
})

const officesListRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/offices',
  staticData: { title: 'Offices' },
  validateSearch: (raw: Raw) => officesPageSearchSchema.parse(raw),
  beforeLoad: needs('offices.view'),
  component: lazyRouteComponent(() => import('../features/offices/OfficesPage.tsx'), 'OfficesPage'),
})

const createOfficeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/create',
  staticData: { title: 'Add Office' },
  beforeLoad: needs('offices.create'),
  component: lazyRouteComponent(
    () => import('../features/offices/OfficeFormPage.tsx'),
    'CreateOfficePage',
  ),
})

const editOfficeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/edit/$companyId',
  staticData: { title: 'Update Office' },
  beforeLoad: needs('offices.edit'),
  component: lazyRouteComponent(
    () => import('../features/offices/OfficeFormPage.tsx'),
    'EditOfficePage',
  ),
})

const officeSitesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/offices/$companyId/$officeName/sites',
  staticData: { title: 'Office Sites' },
  validateSearch: (raw: Raw) => siteListSearchSchema.parse(raw),
  beforeLoad: needs('offices.view'),
  component: lazyRouteComponent(
    () => import('../features/site-list/OfficeSitesPage.tsx'),
    'OfficeSitesPage',
  ),
})

const agentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/agents',
  staticData: { title: 'Agents' },
  validateSearch: (raw: Raw) => agentsPageSearchSchema.parse(raw),
  beforeLoad: needs('agents.view'),
  component: lazyRouteComponent(() => import('../features/agents/AgentsPage.tsx'), 'AgentsPage'),
})

const createAgentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/agents/create',
  staticData: { title: 'Add Agent' },
  /** The office to begin with. */
  validateSearch: (raw: Raw) => z.object({ companyId: searchInt(1, MAX_ID) }).parse(raw),
  beforeLoad: needs('agents.create'),
  component: lazyRouteComponent(
    () => import('../features/agents/AgentFormPage.tsx'),
    'CreateAgentPage',
  ),
})

const editAgentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/agents/edit/$agentId',
  staticData: { title: 'Update Agent' },
  beforeLoad: needs('agents.edit'),
  component: lazyRouteComponent(
    () => import('../features/agents/AgentFormPage.tsx'),
    'EditAgentPage',
  ),
})

const agentSitesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/agents/$agentId/$name/sites',
  staticData: { title: 'Agent Sites' },
  validateSearch: (raw: Raw) => siteListSearchSchema.parse(raw),
  beforeLoad: needs('agents.view'),
  component: lazyRouteComponent(
    () => import('../features/site-list/AgentSitesPage.tsx'),
    'AgentSitesPage',
  ),
})

const unapproveRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/unapprove',
  staticData: { title: 'New Agents' },
  validateSearch: (raw: Raw) => approvalPageSearchSchema.parse(raw),
  beforeLoad: needs('agents.approve'),
  component: lazyRouteComponent(
    () => import('../features/approval/ApprovalPage.tsx'),
    'ApprovalPage',
  ),
})

const adminsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/admins',
  staticData: { title: 'Admins' },
  validateSearch: (raw: Raw) => adminsPageSearchSchema.parse(raw),
  beforeLoad: needs('admins.manage'),
  component: lazyRouteComponent(() => import('../features/admins/AdminsPage.tsx'), 'AdminsPage'),
})

const createAdminRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/admins/create',
  staticData: { title: 'Add Admin' },
  beforeLoad: needs('admins.manage'),
  component: lazyRouteComponent(
    () => import('../features/admins/AdminFormPage.tsx'),
    'CreateAdminPage',
  ),
})

const editAdminRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/admins/edit/$id',
  staticData: { title: 'Update Admin' },
  beforeLoad: needs('admins.manage'),
  component: lazyRouteComponent(
    () => import('../features/admins/AdminFormPage.tsx'),
    'EditAdminPage',
  ),
})

const profileRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profile',
  staticData: { title: 'Profile' },
  beforeLoad: needs('profile.edit'),
  component: lazyRouteComponent(() => import('./ProfileRoute.tsx'), 'ProfileRoute'),
})

/** Offices, agents, approval, admins, one's own profile. */
export const accountRoutes = [
  officesRoute,
  officesListRoute,
  createOfficeRoute,
  editOfficeRoute,
  officeSitesRoute,
  agentsRoute,
  createAgentRoute,
  editAgentRoute,
  agentSitesRoute,
  unapproveRoute,
  adminsRoute,
  createAdminRoute,
  editAdminRoute,
  profileRoute,
] as const
