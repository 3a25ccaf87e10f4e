import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { officesEndpoints, type Office } from '@tallyroom/contract/people/offices'
import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import type { EntityOption } from '../../ui/EntitySelect.tsx'
import { nameOf } from '../../shared/picker.ts'

const { searchOffices: search, office, companies, companyAgents } = officesEndpoints

type OfficesRequest = InputOf<typeof search>['body']

export const officesQuery = (body: OfficesRequest) =>
  queryOf(search, { body }, { keepPrevious: true })

/** The data that the office form needs. */
export interface OfficeFormData {
  /** Undefined for a new office. */
  office: Office | undefined
  sites: EntityOption[]
  /** The first one is the default for a new office. */
  domains: EntityOption[]
}

export const officeFormQuery = (companyId: string | undefined) =>
  queryOptions({
    queryKey: [office.path, 'form', companyId] as const,
    queryFn: async ({ signal }): Promise<OfficeFormData> => {
      const [opened, sites, domains] = await Promise.all([
        companyId === undefined
          ? undefined
          : call(office, { params: { id: companyId } }, { signal }),
        call(sitesEndpoints.sites, { query: { withSuspended: '1' } }, { signal }),
        call(preferredDomainsEndpoints.preferredDomainsList, {}, { signal }),
      ])
      return {
        office: opened,
        sites: sites.map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) })),
        domains: domains.map(({ id, domain }) => ({ id, label: domain })),
      }
    },
    ...FOR_FORM,
  })

export type OfficeStatusChange = { active: boolean } | { hidden: boolean }

/** Refetches the list, and the selects that offer offices or their agents. */
export const refreshOffices = (client: QueryClient) =>
  Promise.all(
    [search, companies, companyAgents, agentsEndpoints.searchAgents].map(({ path }) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )
