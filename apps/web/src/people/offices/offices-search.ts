import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { searchText } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const officesPageSearchSchema = z.object({
  ...listSearch(sortFields.offices),
  /** Part of a name or email. */
  username: searchText(100),
})
