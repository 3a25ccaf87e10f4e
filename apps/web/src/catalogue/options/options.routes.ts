import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const optionsRoutes = [
  page({
    path: '/settings/options',
    title: 'Options',
    tab: 'System Options',
    ability: 'options.manage',
    component: lazyRouteComponent(() => import('./OptionsPage.tsx'), 'OptionsPage'),
  }),
] as const
