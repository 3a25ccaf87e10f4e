import type { SitesSearch } from '@tallyroom/contract/sites'
import { SITE_CATEGORIES, type SiteCategory } from '@tallyroom/domain/labels'
import { z } from 'zod'
import { searchChoice, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const sortFields = ['sitename', 'type', 'status'] as const satisfies SitesSearch['sortField'][]

const statuses = ['activated', 'suspended'] as const
export type StatusFilter = (typeof statuses)[number]

/** What the list keeps in the URL. */
export const sitesPageSearchSchema = z.object({
  ...listSearch(sortFields),
  sitename: searchText(128),
  type: searchChoice(SITE_CATEGORIES),
  status: searchChoice(statuses),
})

export interface SitesCriteria {
  /** Part of a name. */
  sitename?: string | undefined
  type?: SiteCategory | undefined
  status?: StatusFilter | undefined
}

/** As the wire takes them. */
export const wireCriteria = ({
  sitename,
  type,
  status,
}: SitesCriteria): SitesSearch['criteria'] => [
  ...(sitename
    ? [{ field: 'sitename' as const, operator: 'LIKE' as const, value: `%${sitename}%` }]
    : []),
  ...(type ? [{ field: 'type' as const, operator: '=' as const, value: type }] : []),
  ...(status
    ? [{ field: 'active' as const, operator: '=' as const, value: status === 'activated' }]
    : []),
]
