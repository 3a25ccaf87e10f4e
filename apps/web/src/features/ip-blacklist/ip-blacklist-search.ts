import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { contains } from '../../lib/criteria.ts'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the list keeps in the URL. */
export const ipBlacklistSearchParams = z.object({
  ...listSearch(sortFields.blackListIp),
  ip: searchText(100),
})

/** As the wire takes them. */
export const wireCriteria = (part: string | undefined) => contains('ip', part)
