import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from './picker.ts'

/** The sites that the viewer may sell; all of them for staff. */
export const offeredSitesQuery = (withSuspended: boolean) =>
  queryOptions({
    ...queryOf(sitesEndpoints.sites, { query: { withSuspended: withSuspended ? '1' : '0' } }),
    staleTime: OPTIONS_STALE_MS,
  })
