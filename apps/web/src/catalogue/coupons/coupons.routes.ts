import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { couponsSearchSchema } from './coupons-search.ts'

export const couponsRoutes = [
  page({
    path: '/links/coupons',
    title: 'Coupon codes',
    ability: 'links.generate',
    search: couponsSearchSchema,
    component: lazyRouteComponent(() => import('./CouponsPage.tsx'), 'CouponsPage'),
  }),
  page({
    path: '/links/coupons/create',
    title: 'Add Coupon Code',
    ability: 'coupons.manage',
    component: lazyRouteComponent(() => import('./CouponFormPage.tsx'), 'CouponFormPage'),
  }),
  page({
    path: '/links/coupons/make',
    title: 'Make a Coupon Code',
    ability: 'coupons.make',
    component: lazyRouteComponent(() => import('./MakeCouponPage.tsx'), 'MakeCouponPage'),
  }),
] as const
