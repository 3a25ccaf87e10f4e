import {
  type PostbackOutcomeFilter,
  postbackOutcomeFilters,
  sortFields,
} from '@tallyroom/contract/list-choices'
import type { Day } from '@tallyroom/domain/new-york'
import { POSTBACK_EVENTS, type PostbackEvent } from '@tallyroom/domain/event-types'
import { isValidRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the page keeps in the URL. */
export const postbacksPageSearchSchema = z.object({
  ...listSearch(sortFields.postbacks),
  siteId: searchInt(1, MAX_ID),
  outcome: searchChoice(postbackOutcomeFilters),
  event: searchChoice(POSTBACK_EVENTS),
  clickId: searchText(64),
  transactionId: searchText(128),
  start: searchDay,
  end: searchDay,
  /** What a merchant needs to send postbacks stands beside the list. */
  integration: searchFlag,
})

export type PostbacksPageSearch = z.output<typeof postbacksPageSearchSchema>

/** What the list is filtered by; what is missing filters nothing. Days are both there, or neither. */
export interface PostbacksCriteria {
  siteId?: number | undefined
  outcome?: PostbackOutcomeFilter | undefined
  event?: PostbackEvent | undefined
  clickId?: string | undefined
  transactionId?: string | undefined
  start?: Day | undefined
  end?: Day | undefined
}

export function criteriaOf(search: PostbacksPageSearch): PostbacksCriteria {
  const { siteId, outcome, event, clickId, transactionId, start, end } = search
  const days = isValidRange({ start, end }) ? { start, end } : {}
  return { siteId, outcome, event, clickId, transactionId, ...days }
}
