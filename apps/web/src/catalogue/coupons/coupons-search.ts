import { couponStates, sortFields } from '@tallyroom/contract/list-choices'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchInt } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const couponsSearchSchema = z.object({
  ...listSearch(sortFields.coupons),
  siteId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  state: searchChoice(couponStates),
})

export type CouponsSearch = z.output<typeof couponsSearchSchema>

export type CouponCriteria = Pick<CouponsSearch, 'siteId' | 'agentId' | 'state'>

export const criteriaOf = ({ siteId, agentId, state }: CouponsSearch): CouponCriteria => ({
  siteId,
  agentId,
  state,
})
