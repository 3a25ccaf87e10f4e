import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { contains } from '../../lib/criteria.ts'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const officesPageSearchSchema = z.object({
  ...listSearch(sortFields.offices),
  username: searchText(100),
})

export interface OfficesCriteria {
  /** Part of a name or email. */
  username?: string | undefined
}

/** In the format of the API. */
export const wireCriteria = ({ username }: OfficesCriteria) => contains('text', username)
