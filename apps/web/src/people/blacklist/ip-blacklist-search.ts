import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { searchText } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const ipBlacklistSearchParams = z.object({
  ...listSearch(sortFields.blackListIp),
  ip: searchText(100),
})
