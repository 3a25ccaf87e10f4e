import type { BlackListIpSearch } from '@tallyroom/contract/ip-blacklist'
import { z } from 'zod'
import { contains } from '../../lib/criteria.ts'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const sortFields = ['ip', 'addedAt'] as const satisfies BlackListIpSearch['sortField'][]

/** What the list keeps in the URL. */
export const ipBlacklistSearchParams = z.object({
  ...listSearch(sortFields),
  ip: searchText(100),
})

/** As the wire takes them. */
export const wireCriteria = (part: string | undefined) => contains('ip', part)
