import type { Agent, agentsEndpoints } from '@tallyroom/contract/agents'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { refuseStale } from '../../http/refuse-stale.ts'
import type { Services } from '../../http/services.ts'
import { insertAccount, makePassword, makePasswordIfGiven } from '../accounts/index.ts'
import { findOffice } from '../offices/index.ts'
import { endSessions, replacePassword } from '../sessions/index.ts'
import {
  type AgentDetails,
  findAgent,
  findSitesOfOffices,
  findSiteSwitches,
  insertAgent,
  lockAgent,
  switchSites,
  updateAgentRow,
} from './agent-form.queries.ts'
import { refuseClearing } from './clear-fraud.ts'
import { blockLogin, liftLoginBlock } from './login-block.queries.ts'
import { presentLoginOpenUntil } from './search-agents.ts'

type NewAgent = RequestOf<typeof agentsEndpoints.createAgent>['body']
type AgentChange = RequestOf<typeof agentsEndpoints.updateAgent>['body']
type SaveServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** Adds an agent with its account; it waits for approval. An office adds its own. */
export async function createAgent(
  services: SaveServices,
  viewer: Viewer,
  agent: NewAgent,
): Promise<number> {
  const password = await makePassword(services, agent.password)
  refuseHiding(viewer, agent.hidden, false)
  return inTransaction(services.db, async (tx) => {
    const now = services.clock.now()
    const officeId = viewer.officeId ?? (await chooseOffice(tx, viewer, agent.officeId))
    const agentId = await insertAgent(tx, {
      ...columnsOf(agent),
      office_id: officeId,
      created_at: now,
    })
    await insertAccount(tx, {
      role: 'agent',
      agentId,
      username: agent.username,
      loginBlocked: agent.loginBlocked,
      createdAt: now,
      ...password,
    })
    if (agent.siteIds) await allowOnly(tx, { agentId, officeId }, agent.siteIds)
    await announceChange(tx, 'destinations')
    return agentId
  })
}

/** An agent as its form shows it. @throws NOT_FOUND for one that the viewer does not see. */
export async function getAgent(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  agentId: number,
): Promise<Agent> {
  const agent = await findAgent(db, sightOf(viewer), agentId)
  if (!agent) throw notFound('agent')
  return {
    id: agent.id,
    officeId: agent.office_id,
    officeName: agent.office_name,
    username: agent.username,
    firstName: agent.first_name,
    lastName: agent.last_name,
    mustRead: agent.must_read,
    active: agent.active,
    hidden: agent.hidden,
    loginBlocked: agent.login_blocked,
    loginOpenUntil: presentLoginOpenUntil(agent.login_open_until, clock.now()),
    fraudFlaggedAt: agent.fraud_flagged_at?.toISOString() ?? null,
    approved: agent.approved_at !== null,
    sites: await findSiteSwitches(db, agent),
    version: agent.version,
  }
}

/**
 * Changes an agent. Moved to another office, its past stays with the one before.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, and CONFLICT when it has changed since the form was filled.
 */
export async function updateAgent(
  services: SaveServices,
  viewer: Viewer,
  agentId: number,
  change: AgentChange,
): Promise<void> {
  const { db, clock } = services
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(db, async (tx) => {
    const agent = await lockAgent(tx, sightOf(viewer), agentId)
    if (!agent) throw notFound('agent')
    refuseStale('agent', agent.version, change.version)
    refuseHiding(viewer, change.hidden, agent.hidden)

    const officeId = await officeAfter(tx, viewer, agent, change.officeId)
    const isActivated = change.active && !agent.active
    if (isActivated) refuseClearing(viewer, [agent])
    await updateAgentRow(tx, agentId, {
      ...columnsOf(change),
      office_id: officeId,
      ...(isActivated && { fraud_flagged_at: null }),
    })
    await applySwitches(tx, { agentId, officeIds: [agent.office_id, officeId] }, change.sites)
    await changeLoginBlock(tx, agent, change.loginBlocked, clock.now())
    if (password) await replacePassword(tx, agent.account_id, password, { now: clock.now() })
    await announceChange(tx, 'destinations')
  })
}

const columnsOf = (agent: NewAgent | AgentChange) => ({
  first_name: agent.firstName,
  last_name: agent.lastName,
  must_read: agent.mustRead,
  active: agent.active,
  hidden: agent.hidden,
})

/** Who can't see hidden agents can't make one vanish from their own sight either. */
function refuseHiding(viewer: Viewer, hidden: boolean, present: boolean): void {
  if (hidden !== present && !can(viewer, 'hidden.see')) {
    throw invalid({ hidden: ['can only be changed by an admin'] })
  }
}

/** The office that staff chose for an agent. */
async function chooseOffice(
  tx: Tx,
  viewer: Viewer,
  officeId: number | null | undefined,
): Promise<number> {
  if (officeId == null) throw invalid({ officeId: ['is required'] })
  if (!(await findOffice(tx, sightOf(viewer), officeId))) {
    throw invalid({ officeId: ['is not an office any more'] })
  }
  return officeId
}

async function officeAfter(
  tx: Tx,
  viewer: Viewer,
  { office_id: present }: AgentDetails,
  chosen: number | null | undefined,
): Promise<number> {
  if (chosen == null || chosen === present) return present
  if (!can(viewer, 'agents.change-office')) {
    throw invalid({ officeId: ['can only be changed by a superadmin'] })
  }
  return chooseOffice(tx, viewer, chosen)
}

/** Of its office's sites, a new agent may sell these. */
async function allowOnly(
  tx: Tx,
  { agentId, officeId }: { agentId: number; officeId: number },
  siteIds: readonly number[],
): Promise<void> {
  const offered = await findSitesOfOffices(tx, [officeId])
  refuseOthers(siteIds, offered, 'siteIds')
  const off = offered.filter((id) => !siteIds.includes(id))
  await switchSites(tx, agentId, { on: [], off })
}

/** For an agent that moves, the sites of the office before and of the one after may be named. */
async function applySwitches(
  tx: Tx,
  { agentId, officeIds }: { agentId: number; officeIds: readonly number[] },
  sites: AgentChange['sites'],
): Promise<void> {
  const switched = (enable: boolean) =>
    sites.filter((site) => site.enable === enable).map(({ siteId }) => siteId)
  refuseOthers(
    sites.map(({ siteId }) => siteId),
    await findSitesOfOffices(tx, officeIds),
    'sites',
  )
  await switchSites(tx, agentId, { on: switched(true), off: switched(false) })
}

function refuseOthers(siteIds: readonly number[], offered: readonly number[], field: string): void {
  const known = new Set(offered)
  if (!siteIds.every((id) => known.has(id))) {
    throw invalid({ [field]: ['names a site that the office does not sell'] })
  }
}

/** A block that stays keeps the hours for which signing in was opened. */
async function changeLoginBlock(
  tx: Tx,
  agent: AgentDetails,
  isBlocked: boolean,
  now: Date,
): Promise<void> {
  if (isBlocked === agent.login_blocked) return
  if (!isBlocked) return liftLoginBlock(tx, agent.account_id)
  await blockLogin(tx, [agent.account_id])
  await endSessions(tx, { accountIds: [agent.account_id] }, { reason: 'login-blocked', now })
}
