import type { BlackListIpSearch } from '@tallyroom/contract/ip-blacklist'
import { z } from 'zod'
import { searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const sortFields = ['ip', 'addedAt'] as const satisfies BlackListIpSearch['sortField'][]

/** What the list keeps in the URL. */
export const ipBlacklistSearchParams = z.object({
  ...listSearch(sortFields),
  ip: searchText(100),
})

/** As the wire takes them. */
export const wireCriteria = (part: string | undefined) =>
  part ? [{ field: 'ip' as const, operator: 'LIKE' as const, value: `%${part}%` }] : []
