import { can } from '@tallyroom/domain/abilities'
import { addDays, atNewYork, dayOf } from '@tallyroom/domain/new-york'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, notFound } from '../../errors.ts'
import { tellOfAgents } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import type { GivesBack } from './gives-back.ts'
import { endSessions } from '../sessions/sessions.queries.ts'
import {
  type LockedAgent,
  blockLogin,
  clearFraudFlags,
  lockAgents,
  openLogin,
  raiseVersions,
  setStatusOfAgents,
} from './agent-status.queries.ts'

type StatusChange =
  | { active: boolean }
  | { hidden: boolean }
  | { loginBlocked: boolean }
  | { fraudFlagged: false }

/**
 * Activates, suspends, shows or hides agents, blocks or unblocks their login, or clears them of fraud: all of them or none.
 *
 * @throws NOT_FOUND if the viewer cannot see one of them; FORBIDDEN if an office would clear its own agent of
 * fraud, or activate one who is not cleared.
 */
export async function setAgentStatus(
  { db, giveBack }: Pick<Services, 'db'> & GivesBack,
  viewer: Viewer,
  { ids, ...change }: { ids: readonly number[] } & StatusChange,
): Promise<void> {
  if ('hidden' in change && !can(viewer, 'hidden.see')) throw forbidden()
  if ('fraudFlagged' in change && !can(viewer, 'agents.clear-fraud')) {
    throw forbidden('Only an admin can clear an agent of fraud.')
  }
  await inTransaction(db, async (tx) => {
    const agents = await lockAgents(tx, sightOf(viewer), ids)
    if (agents.length !== new Set(ids).size) throw notFound('agent')
    const agentIds = agents.map(({ id }) => id)
    if ('fraudFlagged' in change) {
      const flagged = agents.filter((agent) => agent.fraud_flagged_at !== null)
      if (flagged.length === 0) return
      const flaggedIds = flagged.map(({ id }) => id)
      await clearFraudFlags(tx, flaggedIds)
      await giveBack(tx, viewer, flaggedIds)
    } else if ('loginBlocked' in change) {
      await setLogin(tx, agents, change.loginBlocked, tx.now)
    } else {
      if ('active' in change && change.active) refuseFlagged(viewer, agents)
      const changed = await setStatusOfAgents(tx, agentIds, change)
      if ('active' in change) {
        const origin = { at: tx.now, byAccountId: viewer.accountId }
        await tellOfAgents(tx, changed, { maySell: change.active }, origin)
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

/** When the login window of a blocked agent ends if opened at `now`: at the next 01:00 in New York. */
export function loginOpenUntil(now: Date): Date {
  const today = dayOf(now)
  const end = atNewYork(today, '01:00')
  return end > now ? end : atNewYork(addDays(today, 1), '01:00')
}

/** An office earns from the sales of its agents and would judge itself. */
export function refuseFlagged(
  viewer: Viewer,
  agents: readonly { fraud_flagged_at: Date | null }[],
): void {
  if (can(viewer, 'agents.clear-fraud')) return
  if (agents.some(({ fraud_flagged_at }) => fraud_flagged_at !== null)) {
    throw forbidden(
      'A merchant has reported a sale of this agent as fraud. Only an admin can activate them.',
    )
  }
}
