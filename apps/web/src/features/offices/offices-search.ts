import type { OfficesSearch } from '@tallyroom/contract/offices'
import { z } from 'zod'
import { contains } from '../../lib/criteria.ts'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const sortFields = [
  'match',
  'officeName',
  'agentsCount',
  'sitesCount',
  'username',
  'preferredDomain',
  'status',
  'regTime',
] as const satisfies OfficesSearch['sortField'][]

/** What the list keeps in the URL. */
export const officesPageSearchSchema = z.object({
  ...listSearch(sortFields),
  username: searchText(100),
})

export interface OfficesCriteria {
  /** Part of a name or e-mail. */
  username?: string | undefined
}

/** As the wire takes them. */
export const wireCriteria = ({ username }: OfficesCriteria) => contains('text', username)
