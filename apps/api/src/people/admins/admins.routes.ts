import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { revealPassword } from '../accounts/password-column.ts'
import { inviteRoutes } from '../invitations/invite-routes.ts'
import { endSessionsRoute } from '../sessions/end-sessions-route.ts'
import { lockAdmins } from './admin-status.queries.ts'
import { removeAdmin, setAdminStatus } from './admin-status.ts'
import { createAdmin, getAdmin, listAdmins, updateAdmin } from './admins.ts'
import { confirmInvitedPayer } from './confirm-payer.ts'

export const adminsRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
): Route[] => [
  route(adminsEndpoints.admins, ({ viewer, query: { sortField, sortAsc } }) =>
    listAdmins(services, viewer, { sortField, ascending: sortAsc }),
  ),

  route(adminsEndpoints.admin, ({ params: { id } }) => getAdmin(services, id)),

  route(adminsEndpoints.adminPassword, async ({ viewer, params: { id } }) => {
    await getAdmin(services, id)
    return revealPassword(services, viewer, id)
  }),

  formRoute(adminsEndpoints.createAdmin, async ({ viewer, body }) => ({
    id: await createAdmin(services, viewer, body),
  })),

  formRoute(adminsEndpoints.updateAdmin, ({ viewer, params: { id }, body }) =>
    updateAdmin(services, viewer, id, body),
  ),

  route(adminsEndpoints.adminsStatus, ({ viewer, body }) => setAdminStatus(services, viewer, body)),

  endSessionsRoute(services, {
    call: adminsEndpoints.endAdminSessions,
    what: 'admin',
    lock: async (tx, _, id) => (await lockAdmins(tx, [id]))[0]?.id,
  }),

  ...inviteRoutes(services, {
    mail: invitationsEndpoints.inviteAdmin,
    link: invitationsEndpoints.makeAdminInvitationLink,
    withdraw: invitationsEndpoints.withdrawAdminInvitation,
    what: 'admin',
    lock: async (tx, _, id) => {
      const [admin] = await lockAdmins(tx, [id])
      return admin && { account_id: admin.id }
    },
    confirm: confirmInvitedPayer,
  }),

  route(adminsEndpoints.deleteAdmin, ({ viewer, params: { id } }) =>
    removeAdmin(services, viewer, id),
  ),
]
