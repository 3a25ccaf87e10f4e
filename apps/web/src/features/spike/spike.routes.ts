import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/page.ts'

/** Part 1 of the specification asks for the page; no menu leads to it. */
export const spikeRoutes = [
  page({
    path: '/spike',
    title: 'Spike',
    component: lazyRouteComponent(() => import('./SpikePage.tsx'), 'SpikePage'),
  }),
] as const
