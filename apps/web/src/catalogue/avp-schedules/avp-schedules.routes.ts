import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const avpSchedulesRoutes = [
  page({
    path: '/settings/avp-schedule',
    title: 'AVP Schedule',
    ability: 'avp-schedules.manage',
    component: lazyRouteComponent(() => import('./AvpSchedulesPage.tsx'), 'AvpSchedulesPage'),
  }),
  page({
    path: '/settings/avp-schedule/create',
    title: 'Add AVP Schedule',
    ability: 'avp-schedules.manage',
    component: lazyRouteComponent(
      () => import('./AvpScheduleFormPage.tsx'),
      'CreateAvpSchedulePage',
    ),
  }),
  page({
    path: '/settings/avp-schedule/$validFrom',
    title: 'Update AVP Schedule',
    ability: 'avp-schedules.manage',
    component: lazyRouteComponent(() => import('./AvpScheduleFormPage.tsx'), 'EditAvpSchedulePage'),
  }),
] as const
