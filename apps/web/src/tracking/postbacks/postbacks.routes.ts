import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { postbacksPageSearchSchema } from './postbacks-search.ts'

export const postbacksRoutes = [
  page({
    path: '/sites/postbacks',
    title: 'Postbacks',
    ability: 'postbacks.view',
    search: postbacksPageSearchSchema,
    component: lazyRouteComponent(() => import('./PostbacksPage.tsx'), 'PostbacksPage'),
  }),
] as const
