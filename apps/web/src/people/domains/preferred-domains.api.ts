import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'

const { preferredDomainsWithCompanies: list, preferredDomain: one } = preferredDomainsEndpoints

export const domainFormQuery = (id: string) => formQueryOf(one, { params: { id } })

/** Refetches the list, and the offices, which show their domains. */
export const refreshDomains = refreshOf(list, officesEndpoints.searchOffices)
