import { postbackOutcomeFilters, sortFields } from '@tallyroom/contract/list-choices'
import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import { isValidRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import {
  searchChoice,
  searchDay,
  searchFlag,
  searchInt,
  searchText,
} from '../../lib/pages/search.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'

/** The page's state in the URL. */
export const postbacksPageSearchSchema = z.object({
  ...listSearch(sortFields.postbacks),
  siteId: searchInt(1, MAX_ID),
  outcome: searchChoice(postbackOutcomeFilters),
  holdKind: searchChoice(HOLD_KINDS),
  event: searchChoice(POSTBACK_EVENTS),
  clickId: searchText(64),
  transactionId: searchText(128),
  start: searchDay,
  end: searchDay,
  /** Whether the integration drawer is open. */
  integration: searchFlag,
})

export type PostbacksPageSearch = z.output<typeof postbacksPageSearchSchema>

/** `start` and `end` are either both set or both missing. */
export type PostbacksCriteria = Omit<CriteriaIn<PostbacksPageSearch>, 'integration'>

export function criteriaOf(search: PostbacksPageSearch): PostbacksCriteria {
  const { siteId, outcome, holdKind, event, clickId, transactionId, start, end } = search
  const days = isValidRange({ start, end }) ? { start, end } : {}
  return { siteId, outcome, holdKind, event, clickId, transactionId, ...days }
}
