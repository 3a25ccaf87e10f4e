import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchInt } from '../../lib/pages/search.ts'

export const howToSellRoutes = [
  page({
    path: '/how-to-sell',
    title: 'How to sell',
    ability: 'how-to-sell.view',
    flag: 'howToSell',
    // The open manual; the first if missing.
    search: z.object({ manual: searchInt(1, MAX_ID) }),
    component: lazyRouteComponent(() => import('./HowToSellPage.tsx'), 'HowToSellPage'),
  }),
] as const
