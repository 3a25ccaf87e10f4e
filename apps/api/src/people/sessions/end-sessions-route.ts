import type { adminsEndpoints } from '@tallyroom/contract/people/admins'
import type { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { officesEndpoints } from '@tallyroom/contract/people/offices'
import { type Sight, sightOf } from '../../access/sight.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { tellOfEndedSessions } from '../mail/tell-of-ended-sessions.ts'
import { sessionIdleMs } from './open-session.ts'
import { endSessions, findOwnSessions } from './sessions.queries.ts'

/** Whose sessions are ended: the call, and how to find them. */
type Ended = {
  call:
    | (typeof adminsEndpoints)['endAdminSessions']
    | (typeof agentsEndpoints)['endAgentSessions']
    | (typeof officesEndpoints)['endOfficeSessions']
  what: 'admin' | 'agent' | 'office'
  /** Locks one that the viewer sees, and returns the id of the account; undefined for others. */
  lock: (tx: Tx, sight: Sight, id: number) => Promise<number | undefined>
}

/** The call by which whoever may edit an account ends its sessions. API tokens stay. The holder is told if they had any. */
export const endSessionsRoute = (
  services: Pick<Services, 'config' | 'db' | 'secret'>,
  { call, what, lock }: Ended,
): Route =>
  route(call, ({ viewer, params }) =>
    inTransaction(services.db, async (tx) => {
      const { now } = tx
      const accountId = await lock(tx, sightOf(viewer), params.id)
      if (accountId === undefined) throw notFound(what)
      const seenAfter = new Date(now.getTime() - sessionIdleMs)
      const own = await findOwnSessions(tx, accountId, { now, seenAfter })
      await endSessions(tx, { accountIds: [accountId] }, { reason: 'ended-by-staff', now })
      if (own.length > 0) await tellOfEndedSessions(tx, services, accountId)
    }),
  )
