import { lazyRouteComponent } from '@tanstack/react-router'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchChoice } from '../../lib/pages/search.ts'

export const decisionsRoutes = [
  page({
    path: '/decisions',
    title: 'Decisions',
    ability: 'postbacks.view',
    search: z.object({
      /** Only postbacks that are held for this. */
      holdKind: searchChoice(HOLD_KINDS),
    }),
    component: lazyRouteComponent(() => import('./DecisionsPage.tsx'), 'DecisionsPage'),
  }),
] as const
