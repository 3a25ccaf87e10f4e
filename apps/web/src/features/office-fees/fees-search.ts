import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'
import { searchInt, searchText } from '../../lib/search.ts'

/** What the page keeps in the URL. */
export const feesSearchSchema = z.object({
  ...listSearch(['officeName']),
  siteId: searchInt(1, MAX_ID),
  typeId: searchInt(1, MAX_ID),
  /** A part of the office's name. */
  officeName: searchText(100),
})
