import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchInt } from '../../lib/pages/search.ts'

export const savedViewsRoutes = [
  page({
    path: '/views',
    title: 'My Views',
    ability: 'views.save',
    /** The view whose settings are open. */
    search: z.object({ id: searchInt(1, MAX_ID) }),
    component: lazyRouteComponent(() => import('./ViewsPage.tsx'), 'ViewsPage'),
  }),
] as const
