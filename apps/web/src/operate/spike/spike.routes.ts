import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

/** Required by part 1 of the specification. No menu links to it. */
export const spikeRoutes = [
  page({
    path: '/spike',
    title: 'Spike',
    component: lazyRouteComponent(() => import('./SpikePage.tsx'), 'SpikePage'),
  }),
] as const
