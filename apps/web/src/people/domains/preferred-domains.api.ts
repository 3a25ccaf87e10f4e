import type { sortFields } from '@tallyroom/contract/list-choices'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const { preferredDomainsWithCompanies: list, preferredDomain: one } = preferredDomainsEndpoints

export const domainsQuery = (order: ListOrder<(typeof sortFields.domains)[number]>) =>
  queryOf(list, { query: wireSort(order) }, { keepPrevious: true })

export const domainFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(one, { params: { id } }),
    ...FOR_FORM,
  })

/** Refetches the list, and the offices, which show their domains. */
export const refreshDomains = (client: QueryClient) =>
  Promise.all(
    [list, officesEndpoints.searchOffices].map(({ path }) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )
