import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { sightOf } from '../../access/sight.ts'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { revealPassword } from '../accounts/password-column.ts'
import { inviteRoutes } from '../invitations/invite-routes.ts'
import type { FindsEarnings } from '../sellers/sellers.ts'
import { endSessionsRoute } from '../sessions/end-sessions-route.ts'
import { findAgentChoices, findOfficeChoices, isOfficeInScope } from './choices.queries.ts'
import { findOffice, lockOffice } from './office-form.queries.ts'
import { createOffice, getOffice, updateOffice } from './save-office.ts'
import { searchOffices } from './search-offices.ts'
import { setOfficeStatus } from './set-office-status.ts'
import { findSiteList } from './site-list.queries.ts'

export const officesRoutes = (
  services: Pick<Services, 'config' | 'db' | 'reportDb' | 'clock' | 'secret' | 'formerSecrets'> &
    FindsEarnings,
): Route[] => {
  const { db } = services
  return [
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

    route(officesEndpoints.searchOffices, ({ viewer, body }) =>
      searchOffices(services, viewer, body),
    ),

    route(officesEndpoints.office, ({ viewer, params: { id } }) => getOffice(services, viewer, id)),

    route(officesEndpoints.officePassword, async ({ viewer, params: { id } }) => {
      const office = await findOffice(db, sightOf(viewer), id)
      if (!office) throw notFound('office')
      return revealPassword(services, viewer, office.account_id)
    }),

    route(officesEndpoints.officeSites, async ({ viewer, params: { id }, query }) => {
      if (!(await findOffice(db, sightOf(viewer), id))) throw notFound('office')
      const { sortField, sortAsc: ascending } = query
      return findSiteList(db, { officeId: id }, { sortField, ascending, withHidden: true })
    }),

    formRoute(officesEndpoints.createOffice, async ({ viewer, body }) => ({
      id: await createOffice(services, viewer, body),
    })),

    formRoute(officesEndpoints.updateOffice, ({ viewer, params: { id }, body }) =>
      updateOffice(services, viewer, id, body),
    ),

    endSessionsRoute(services, {
      call: officesEndpoints.endOfficeSessions,
      what: 'office',
      lock: async (tx, sight, id) => (await lockOffice(tx, sight, id))?.account_id,
    }),

    ...inviteRoutes(services, {
      mail: invitationsEndpoints.inviteOffice,
      link: invitationsEndpoints.makeOfficeInvitationLink,
      withdraw: invitationsEndpoints.withdrawOfficeInvitation,
      what: 'office',
      lock: lockOffice,
    }),

    route(officesEndpoints.officesStatus, ({ viewer, body }) =>
      setOfficeStatus(services, viewer, body),
    ),
  ]
}
