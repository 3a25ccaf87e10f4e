import { sortFields } from '@tallyroom/contract/list-choices'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchInt } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

export const avpWeekSearch = z.object({
  ...listSearch(sortFields.avpWeek),
  companyId: searchInt(1, MAX_ID),
  siteId: searchInt(1, MAX_ID),
  /** One agent's standing instead of the list. */
  agentId: searchInt(1, MAX_ID),
})
export type AvpWeekSearch = z.infer<typeof avpWeekSearch>
