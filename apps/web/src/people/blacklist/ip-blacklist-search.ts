import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { contains } from '../../lib/criteria.ts'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const ipBlacklistSearchParams = z.object({
  ...listSearch(sortFields.blackListIp),
  ip: searchText(100),
})

/** In the format of the API. */
export const wireCriteria = (part: string | undefined) => contains('ip', part)
