import { couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { agentOf } from '../links/generate-links.ts'
import { createCoupon, endCoupon, endOwnCoupon, listCoupons, makeCoupon } from './coupons.ts'
import { findPatterns } from './coupons.queries.ts'
import { makeTakenLimit } from './taken-limit.ts'

export function couponsRoutes(services: Pick<Services, 'db' | 'clock'>): Route[] {
  const limit = makeTakenLimit()
  return [
    route(couponsEndpoints.coupons, ({ viewer, body }) => listCoupons(services, viewer, body)),

    route(couponsEndpoints.couponPatterns, ({ viewer }) =>
      findPatterns(services.db, agentOf(viewer, undefined)),
    ),

    formRoute(couponsEndpoints.createCoupon, ({ viewer, body }) =>
      createCoupon(services, viewer, body),
    ),

    // No form route: trying the rest of a refused one would count as further tries.
    route(couponsEndpoints.makeCoupon, ({ viewer, body }) =>
      makeCoupon({ ...services, limit }, viewer, body),
    ),

    route(couponsEndpoints.endCoupon, ({ viewer, params: { id } }) =>
      endCoupon(services, viewer, id),
    ),

    route(couponsEndpoints.endOwnCoupon, ({ viewer, params: { id } }) =>
      endOwnCoupon(services, viewer, id),
    ),
  ]
}
