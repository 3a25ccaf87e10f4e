import { couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { queryOf, refreshOf } from '../../lib/queries.ts'

/** The sites for which the agent may make codes. */
export const patternsQuery = () => queryOf(couponsEndpoints.couponPatterns, {})

export const refreshCoupons = refreshOf(couponsEndpoints.coupons)
