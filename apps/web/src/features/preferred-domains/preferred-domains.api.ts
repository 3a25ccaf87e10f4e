import type { InputOf } from '@tallyroom/contract/endpoint'
import { officesEndpoints } from '@tallyroom/contract/offices'
import { preferredDomainsEndpoints } from '@tallyroom/contract/preferred-domains'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import type { DomainsPageSearch } from './preferred-domains-search.ts'

const {
  preferredDomainsWithCompanies: list,
  preferredDomain: one,
  createPreferredDomain: create,
  updatePreferredDomain: update,
  preferredDomainsStatus: status,
} = preferredDomainsEndpoints

export const domainsQuery = ({
  sortField,
  sortAsc,
}: Required<Pick<DomainsPageSearch, 'sortField' | 'sortAsc'>>) =>
  queryOf(
    list,
    { query: { sortField, sortAsc: sortAsc ? 'true' : 'false' } },
    { keepPrevious: true },
  )

export const getDomain = (id: string) => call(one, { params: { id } })

/** Read anew whenever a form is opened, and never renewed under the hands of whoever fills it in. */
export const domainFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(one, { params: { id } }, { gcTime: 0, staleTime: Infinity }),
    meta: { ownErrors: true },
  })

export type NewDomain = InputOf<typeof create>['body']
export type DomainChange = InputOf<typeof update>['body']

export const createDomain = (body: NewDomain) => call(create, { body })

export const updateDomain = (id: number, body: DomainChange) =>
  call(update, { params: { id: String(id) }, body })

export const setDomainHidden = (id: number, hidden: boolean) =>
  call(status, { body: { ids: [id], hidden } })

/** The list, and the offices that show their domain. */
export const refreshDomains = (client: QueryClient) =>
  Promise.all(
    [list, officesEndpoints.searchOffices].map(({ path }) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )
