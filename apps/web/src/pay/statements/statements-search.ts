import { z } from 'zod'
import { searchText } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list’s state in the URL. Newest statements come first. */
export const statementsSearch = z.object({
  ...listSearch(['closedAt']),
  period: searchText(12),
})
