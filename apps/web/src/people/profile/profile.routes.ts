import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'

export const profileRoutes = [
  page({
    path: '/profile',
    title: 'Profile',
    ability: 'profile.edit',
    // What the frame's offer opens.
    search: z.object({ add: z.literal('passkey').optional().catch(undefined) }),
    isRecord: true,
    component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'ProfilePage'),
  }),
  page({
    path: '/not-me',
    title: 'That wasn’t me',
    ability: 'profile.edit',
    component: lazyRouteComponent(() => import('./DisownSignInPage.tsx'), 'DisownSignInPage'),
  }),
] as const
