import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { whatIfSearch } from './what-if-search.ts'

export const whatIfRoutes = [
  page({
    path: '/sites/what-if',
    title: 'What if',
    ability: 'stats.payroll',
    search: whatIfSearch,
    component: lazyRouteComponent(() => import('./WhatIfPage.tsx'), 'WhatIfPage'),
  }),
] as const
