import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const profileRoutes = [
  page({
    path: '/profile',
    title: 'Profile',
    ability: 'profile.edit',
    component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'ProfilePage'),
  }),
] as const
