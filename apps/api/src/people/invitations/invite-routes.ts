import type { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { type Sight, sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { type Giver, withFactor } from '../confirming/act-with-factor.ts'
import { inviteByLink, inviteByMail, withdrawInvitation } from './invitations.ts'

type Calls = typeof invitationsEndpoints

/** Who is invited: their calls, and how to find them. */
type Invited = {
  mail: Calls['inviteAgent'] | Calls['inviteOffice'] | Calls['inviteAdmin']
  link:
    | Calls['makeAgentInvitationLink']
    | Calls['makeOfficeInvitationLink']
    | Calls['makeAdminInvitationLink']
  withdraw:
    | Calls['withdrawAgentInvitation']
    | Calls['withdrawOfficeInvitation']
    | Calls['withdrawAdminInvitation']
  what: 'agent' | 'office' | 'admin'
  /** Locks one that the viewer sees; undefined for others. */
  lock: (tx: Tx, sight: Sight, id: number) => Promise<{ account_id: number } | undefined>
  /** Takes the second factor of whoever invites, if that needs one. */
  confirm?: (tx: Tx, giver: Giver, id: number, way: 'mail' | 'link') => Promise<void>
}

/** The calls of whoever invites. */
export function inviteRoutes(
  services: Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>,
  { mail, link, withdraw, what, lock, confirm }: Invited,
): Route[] {
  return [
    route(mail, ({ viewer, params: { id } }) =>
      withFactor(services, viewer, (giver) =>
        onInvited(viewer, id, async (tx, invited) => {
          await confirm?.(tx, giver, id, 'mail')
          return inviteByMail(tx, services, invited)
        }),
      ),
    ),
    route(link, ({ viewer, params: { id } }) =>
      withFactor(services, viewer, (giver) =>
        onInvited(viewer, id, async (tx, invited) => {
          await confirm?.(tx, giver, id, 'link')
          return inviteByLink(tx, services, invited)
        }),
      ),
    ),
    route(withdraw, ({ viewer, params }) =>
      onInvited(viewer, params.id, (tx, { accountId }) => withdrawInvitation(tx, accountId)),
    ),
  ]

  function onInvited<T>(
    viewer: Viewer,
    id: number,
    act: (tx: Tx, invited: { accountId: number; by: Viewer }) => Promise<T>,
  ): Promise<T> {
    return inTransaction(services.db, async (tx) => {
      const found = await lock(tx, sightOf(viewer), id)
      if (!found) throw notFound(what)
      return act(tx, { accountId: found.account_id, by: viewer })
    })
  }
}
