import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const profileRoutes = [
  page({
    path: '/profile',
    title: 'Profile',
    ability: 'profile.edit',
    component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'ProfilePage'),
  }),
  page({
    path: '/not-me',
    title: 'That wasn’t me',
    ability: 'profile.edit',
    component: lazyRouteComponent(() => import('./DisownSignInPage.tsx'), 'DisownSignInPage'),
  }),
] as const
