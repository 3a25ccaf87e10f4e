import { can } from '@tallyroom/domain/abilities'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { endSessions } from '../sessions/index.ts'
import {
  activateAgents,
  lockAgents,
  type LockedAgent,
  raiseVersions,
  setStatusOfAgents,
} from './agent-status.queries.ts'
import { refuseClearing } from './clear-fraud.ts'
import { blockLogin, openLogin } from './login-block.queries.ts'
import { loginOpenUntil } from './login-window.ts'

type StatusChange = { active: boolean } | { hidden: boolean } | { loginBlocked: boolean }

/**
 * Activates, suspends, shows or hides agents, or blocks or unblocks their login: all of them or none.
 *
 * @throws NOT_FOUND if the viewer cannot see one of them; FORBIDDEN if an office would clear its own agent of
 * fraud.
 */
export async function setAgentStatus(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  { ids, ...change }: { ids: readonly number[] } & StatusChange,
): Promise<void> {
  if ('hidden' in change && !can(viewer, 'hidden.see')) throw forbidden()
  await inTransaction(db, async (tx) => {
    const agents = await lockAgents(tx, sightOf(viewer), ids)
    if (agents.length !== new Set(ids).size) throw notFound('agent')
    if ('loginBlocked' in change) {
      await setLogin(tx, agents, change.loginBlocked, clock.now())
    } else {
      const agentIds = agents.map(({ id }) => id)
      if ('active' in change && change.active) {
        refuseClearing(viewer, agents)
        await activateAgents(tx, agentIds)
      } else {
        await setStatusOfAgents(tx, agentIds, 'hidden' in change ? change : { active: false })
      }
      await announceChange(tx, 'destinations')
    }
  })
}

/**
 * Disabling login takes effect at once. Enabling login on a blocked agent lasts until the next 01:00 in New
 * York. The block then applies again without a job, since readers compare with the clock.
 */
async function setLogin(
  tx: Tx,
  agents: readonly LockedAgent[],
  isBlocked: boolean,
  now: Date,
): Promise<void> {
  const accountIds = agents.map(({ accountId }) => accountId)
  if (isBlocked) {
    await blockLogin(tx, accountIds)
    await endSessions(tx, { accountIds }, { reason: 'login-blocked', now })
  } else {
    await openLogin(tx, accountIds, loginOpenUntil(now))
  }
  await raiseVersions(
    tx,
    agents.map(({ id }) => id),
  )
}
