import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { searchChoice, searchText } from '../../lib/pages/search.ts'
import { COLUMN_SETS } from '../../shared/sellers/column-set.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const officesPageSearchSchema = z.object({
  ...listSearch(sortFields.offices),
  /** Part of a name or email. */
  username: searchText(100),
  /** Which columns: those of accounts, or those of sellers. */
  show: searchChoice(COLUMN_SETS),
})
