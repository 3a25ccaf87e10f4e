import { officesEndpoints } from '@tallyroom/contract/offices'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { notFound } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { findAgentChoices, findOfficeChoices, isOfficeInScope } from './offices.queries.ts'

export const officesRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(officesEndpoints.companies, ({ viewer, query }) =>
    findOfficeChoices(db, scopeOf(viewer), {
      withSuspended: query.onlyAvailable === 'false' && can(viewer, 'suspended.see'),
    }),
  ),

  route(officesEndpoints.companyAgents, async ({ viewer, query: { companyId, agentsQuery } }) => {
    const scope = scopeOf(viewer)
    if (companyId !== undefined && !(await isOfficeInScope(db, scope, companyId))) {
      throw notFound('office')
    }
    return findAgentChoices(db, scope, {
      officeId: companyId,
      withSuspended: agentsQuery !== 'onlyAvailable' && can(viewer, 'suspended.see'),
      withUnapproved: agentsQuery === 'all',
    })
  }),
]
