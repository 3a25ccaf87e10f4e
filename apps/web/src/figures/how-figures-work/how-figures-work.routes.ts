import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const howFiguresWorkRoutes = [
  page({
    path: '/stats/how-figures-work',
    title: 'How the figures work',
    ability: 'stats.view',
    component: lazyRouteComponent(() => import('./HowFiguresWorkPage.tsx'), 'HowFiguresWorkPage'),
  }),
] as const
