import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const verificationRoutes = [
  page({
    path: '/settings/verification',
    title: 'Verification',
    ability: 'verification.see',
    component: lazyRouteComponent(() => import('./VerificationPage.tsx'), 'VerificationPage'),
  }),
] as const
