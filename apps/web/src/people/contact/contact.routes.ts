import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const contactRoutes = [
  page({
    path: '/settings/contact',
    title: 'Contact',
    ability: 'contact.manage',
    component: lazyRouteComponent(() => import('./ContactPage.tsx'), 'ContactPage'),
  }),
] as const
