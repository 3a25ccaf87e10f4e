import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const alarmsRoutes = [
  page({
    path: '/settings/alarms',
    title: 'Alarms',
    ability: 'alarms.view',
    component: lazyRouteComponent(() => import('./AlarmSettingsPage.tsx'), 'AlarmSettingsPage'),
  }),
] as const
