import { sortFields } from '@tallyroom/contract/list-choices'
import type { SitesSearch } from '@tallyroom/contract/catalogue/sites'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { z } from 'zod'
import { contains, equals } from '../../lib/criteria.ts'
import { searchChoice, searchText } from '../../lib/pages/search.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'
import { searchStatus, statusEquals } from '../../ui/filters/status-search.ts'

/** The list's state in the URL. */
export const sitesPageSearchSchema = z.object({
  ...listSearch(sortFields.sites),
  /** Part of a name. */
  sitename: searchText(128),
  type: searchChoice(SITE_CATEGORIES),
  status: searchStatus,
})

export type SitesCriteria = CriteriaIn<z.output<typeof sitesPageSearchSchema>>

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
