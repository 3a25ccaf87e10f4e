import type { InputOf } from '@tallyroom/contract/endpoint'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { searchSites: search, site, sites: choices } = sitesEndpoints

type SitesRequest = InputOf<typeof search>['body']

export const sitesQuery = (body: SitesRequest) => queryOf(search, { body }, { keepPrevious: true })

export const siteFormQuery = (siteId: string) =>
  queryOptions({
    queryKey: [site.path, 'form', siteId] as const,
    queryFn: ({ signal }) => call(site, { params: { id: siteId } }, { signal }),
    ...FOR_FORM,
  })

/** Refetches the lists, and the selects that offer sites or link types. */
export const refreshSites = (client: QueryClient) =>
  Promise.all(
    [search, choices, linkTypesEndpoints.typesBySite, officesEndpoints.searchOffices].map(
      ({ path }) => client.invalidateQueries({ queryKey: [path] }),
    ),
  )

/** Refetches what a form shows beside its fields. The fields keep their values. */
export const refreshSite = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [site.path] })
