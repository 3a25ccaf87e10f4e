import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { createDomain, setDomainsHidden, updateDomain } from './save-domain.ts'
import {
  findActiveDomains,
  findDomain,
  findDomainsWithOffices,
} from './preferred-domains.queries.ts'

export const preferredDomainsRoutes = (services: Pick<Services, 'db'>): Route[] => {
  const { db } = services
  return [
    route(preferredDomainsEndpoints.preferredDomainsList, () => findActiveDomains(db)),

    route(preferredDomainsEndpoints.preferredDomains, ({ query }) =>
      findDomainsWithOffices(db, orderOf(query)),
    ),

    route(preferredDomainsEndpoints.preferredDomainsWithCompanies, ({ query }) =>
      findDomainsWithOffices(db, orderOf(query)),
    ),

    route(preferredDomainsEndpoints.preferredDomainsWithCompanyName, async ({ query }) => {
      const domains = await findDomainsWithOffices(db, orderOf(query))
      return domains.map((domain) => ({ ...domain, companyName: domain.companies.join(', ') }))
    }),

    route(preferredDomainsEndpoints.preferredDomain, async ({ params: { id } }) => {
      const domain = await findDomain(db, id)
      if (!domain) throw notFound('domain')
      return { ...domain, rootUrl: domain.rootUrl ?? '' }
    }),

    formRoute(preferredDomainsEndpoints.createPreferredDomain, async ({ body }) => ({
      id: await createDomain(services, body),
    })),

    formRoute(preferredDomainsEndpoints.updatePreferredDomain, ({ params: { id }, body }) =>
      updateDomain(services, id, body),
    ),

    route(preferredDomainsEndpoints.preferredDomainsStatus, ({ body }) =>
      setDomainsHidden(services, body),
    ),
  ]
}

const orderOf = <Field extends string>(query: { sortField: Field; sortAsc: boolean }) => ({
  sortField: query.sortField,
  ascending: query.sortAsc,
})
