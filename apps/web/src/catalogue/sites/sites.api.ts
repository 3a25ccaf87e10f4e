import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { refreshOf } from '../../lib/queries.ts'

const { searchSites: search, site, sites: choices } = sitesEndpoints

/** Refetches the lists, and the selects that offer sites or link types. */
export const refreshSites = refreshOf(
  search,
  choices,
  linkTypesEndpoints.typesBySite,
  officesEndpoints.searchOffices,
)

/** Refetches what a form shows beside its fields. The fields keep their values. */
export const refreshSite = refreshOf(site)
