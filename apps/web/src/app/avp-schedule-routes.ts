import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, needs } from './app-route.ts'

const schedulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/avp-schedule',
  staticData: { title: 'AVP Schedule' },
  beforeLoad: needs('avp-schedules.manage'),
  component: lazyRouteComponent(
    () => import('../features/avp-schedules/AvpSchedulesPage.tsx'),
    'AvpSchedulesPage',
  ),
})

const createScheduleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/avp-schedule/create',
  staticData: { title: 'Add AVP Schedule' },
  beforeLoad: needs('avp-schedules.manage'),
  component: lazyRouteComponent(
    () => import('../features/avp-schedules/AvpScheduleFormPage.tsx'),
    'CreateAvpSchedulePage',
  ),
})

const editScheduleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings/avp-schedule/$validFrom',
  staticData: { title: 'Update AVP Schedule' },
  beforeLoad: needs('avp-schedules.manage'),
  component: lazyRouteComponent(
    () => import('../features/avp-schedules/AvpScheduleFormPage.tsx'),
    'EditAvpSchedulePage',
  ),
})

/** The tiers of agent volume pay, a tab of Settings. */
export const avpScheduleRoutes = [schedulesRoute, createScheduleRoute, editScheduleRoute] as const
