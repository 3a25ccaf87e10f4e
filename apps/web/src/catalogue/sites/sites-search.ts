import { sortFields } from '@tallyroom/contract/list-choices'
import type { SitesSearch } from '@tallyroom/contract/catalogue/sites'
import { SITE_CATEGORIES, type SiteCategory } from '@tallyroom/domain/labels'
import { z } from 'zod'
import { contains, equals } from '../../lib/criteria.ts'
import { searchChoice, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'
import { searchStatus, statusEquals, type StatusChoice } from '../../ui/list/status-search.ts'

/** The list's state in the URL. */
export const sitesPageSearchSchema = z.object({
  ...listSearch(sortFields.sites),
  sitename: searchText(128),
  type: searchChoice(SITE_CATEGORIES),
  status: searchStatus,
})

export interface SitesCriteria {
  /** Part of a name. */
  sitename?: string | undefined
  type?: SiteCategory | undefined
  status?: StatusChoice | undefined
}

/** In the format of the API. */
export const wireCriteria = ({
  sitename,
  type,
  status,
}: SitesCriteria): SitesSearch['criteria'] => [
  ...contains('sitename', sitename),
  ...equals('type', type),
  ...statusEquals(status),
]
