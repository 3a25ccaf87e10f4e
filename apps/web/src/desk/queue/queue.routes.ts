import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const queueRoutes = [
  page({
    path: '/settings/queue',
    title: 'Queue',
    ability: 'queue.manage',
    component: lazyRouteComponent(() => import('./QueuePage.tsx'), 'QueuePage'),
  }),
] as const
