import type { Agent, agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { requestFor } from '@tallyroom/contract/messages'
import { can } from '@tallyroom/domain/abilities'
import { sightOf } from '../../access/sight.ts'
import { requireProof, type Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Agents } from '../../db/types.ts'
import { invalid, notFound } from '../../errors.ts'
import { changedColumns, refuseStale, withChange } from '../../forms.ts'
import { mayAgentSell, tellOfAgents } from '../../notices/index.ts'
import { insertSealed } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { insertAccount, type NewPassword, updateNewEmail } from '../accounts/accounts.queries.ts'
import { makePassword, makePasswordIfGiven, makeUnknownPassword } from '../accounts/new-password.ts'
import { endInvitationElsewhere, inviteByMail } from '../invitations/invitations.ts'
import { changedOf, tellOfChange } from '../mail/tell-of-change.ts'
import { enterAddress, shownAddress } from '../new-address/new-address.ts'
import { findOffice } from '../offices/office-form.queries.ts'
import { endSessions } from '../sessions/sessions.queries.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import {
  type AgentDetails,
  findAgent,
  findAgentsById,
  findSitesOfOffices,
  findSiteSwitches,
  lockAgent,
  switchSites,
} from './agent-form.queries.ts'
import { refuseFlagged } from './set-agent-status.ts'
import { blockLogin, liftLoginBlock } from './agent-status.queries.ts'
import { presentLoginOpenUntil } from './search-agents.ts'

type NewAgent = RequestOf<typeof agentsEndpoints.createAgent>['body']
type AgentChange = RequestOf<typeof agentsEndpoints.updateAgent>['body']
type SaveServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/**
 * Creates an agent and their account, pending approval, with a password or an invitation to choose one. Offices create agents
 * for themselves.
 */
export async function createAgent(
  services: SaveServices,
  viewer: Viewer,
  agent: NewAgent,
): Promise<number> {
  const password = agent.invite
    ? await makeUnknownPassword()
    : await makePassword(services, agent.password)
  return inTransaction(services.db, async (tx) => {
    const { agentId, accountId } = await addAgent(tx, viewer, agent, password)
    await announceChange(tx, 'destinations')
    if (agent.invite === 'mail') await inviteByMail(tx, services, { accountId, by: viewer })
    else await enterAddress(tx, services, { accountId, email: agent.email, by: viewer })
    return agentId
  })
}

/** The same as part of a larger transaction, which announces `destinations` and then mails what is to be mailed. */
export async function addAgent(
  tx: Tx,
  viewer: Viewer,
  agent: Omit<NewAgent, 'password' | 'passwordConfirm'>,
  password: NewPassword,
): Promise<{ agentId: number; accountId: number }> {
  const { now } = tx
  refuseHiding(viewer, agent.hidden, false)
  const officeId = viewer.officeId ?? (await chooseOffice(tx, viewer, agent.officeId))
  const agentId = await insertRow(tx, 'agents', {
    ...columnsOf(agent),
    office_id: officeId,
    created_at: now,
  })
  const accountId = await insertAccount(tx, {
    role: 'agent',
    agentId,
    username: agent.username,
    loginBlocked: agent.loginBlocked,
    isInvited: agent.invite !== undefined,
    createdAt: now,
    madeBy: viewer,
    ...password,
  })
  await applySites(tx, { agentId, officeId }, agent)
  // Whoever opens the invitation confirms the address with it.
  if (agent.invite === 'mail') await updateNewEmail(tx, accountId, agent.email, { by: viewer, now })
  return { agentId, accountId }
}

/** An agent for the form. @throws NOT_FOUND for an agent that the viewer cannot see. */
export async function getAgent(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  agentId: number,
): Promise<Agent> {
  const agent = await findAgent(db, sightOf(viewer), agentId)
  if (!agent) throw notFound('agent')
  return formOf(db, agent, clock.now())
}

/** What the forms of these agents have, except their sites. Agents that do not exist are left out. */
export const findAgentForms = async (
  db: DbOrTx,
  agentIds: readonly number[],
  now: Date,
): Promise<AgentForm[]> => (await findAgentsById(db, agentIds)).map((agent) => fieldsOf(agent, now))

const formOf = async (db: DbOrTx, agent: AgentDetails, now: Date): Promise<Agent> => ({
  ...fieldsOf(agent, now),
  sites: await findSiteSwitches(db, agent),
})

type AgentForm = Omit<Agent, 'sites'>

const fieldsOf = (agent: AgentDetails, now: Date): AgentForm => ({
  id: agent.id,
  officeId: agent.office_id,
  officeName: agent.office_name,
  username: agent.username,
  firstName: agent.first_name,
  lastName: agent.last_name,
  ...shownAddress(agent),
  mustRead: agent.must_read,
  active: agent.active,
  hidden: agent.hidden,
  loginBlocked: agent.login_blocked,
  loginOpenUntil: presentLoginOpenUntil(agent.login_open_until, now),
  fraudFlaggedAt: agent.fraud_flagged_at?.toISOString() ?? null,
  approved: agent.approved_at !== null,
  version: agent.version,
})

/**
 * Updates an agent. Omitted fields are unchanged. The account's address, if any, is notified of a new password. Another
 * address counts once it is confirmed.
 * If the agent moves to another office, their past stays with the previous one.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, TOO_MANY_REQUESTS after many addresses, or CONFLICT if the agent has changed since the form
 * was loaded.
 */
export async function updateAgent(
  services: SaveServices,
  viewer: Viewer,
  agentId: number,
  change: AgentChange,
): Promise<void> {
  const { db } = services
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(db, async (tx) => {
    const agent = await lockAgent(tx, sightOf(viewer), agentId)
    if (!agent) throw notFound('agent')
    refuseStale('agent', agent.version, change.version)
    const { sites: _sites, ...present } = await formOf(tx, agent, tx.now)
    const next = withChange(
      present,
      { ...change, officeId: change.officeId ?? undefined },
      {
        fixed: ['id', 'officeName', 'username', 'emailConfirmed', 'approved', 'fraudFlaggedAt'],
        required: ['firstName', 'lastName'],
      },
    )
    // Whoever gets the mails of the account can choose its password.
    if (password || next.email !== present.email) requireProof(viewer)
    refuseHiding(viewer, next.hidden, agent.hidden)

    const officeId = await officeAfter(tx, viewer, agent, next.officeId)
    if (next.active && !agent.active) refuseFlagged(viewer, [agent])
    const columns = changedColumns(
      { ...columnsOf(present), office_id: agent.office_id },
      { ...columnsOf(next), office_id: officeId },
    )
    const could = await mayAgentSell(tx, agentId)
    await updateRow(tx, 'agents', agentId, columns)
    await applySites(tx, { agentId, officeId, before: agent.office_id }, change)
    await changeLoginBlock(tx, agent, next.loginBlocked, tx.now)
    if (password) {
      await replacePassword(tx, agent.account_id, password, { by: viewer, now: tx.now })
    }
    const may = await mayAgentSell(tx, agentId)
    if (could !== may) {
      const origin = { at: tx.now, byAccountId: viewer.accountId }
      await tellOfAgents(tx, [agentId], { maySell: may }, origin)
    }
    await announceChange(tx, 'destinations')
    const { email, username } = await getHolder(tx, agent.account_id)
    const changed = changedOf({ email }, { password: !!password })
    await tellOfChange(tx, services, { accountId: agent.account_id, username, changed })
    // A new password may have dropped an address that waited: only what was entered here is entered.
    if (next.email !== present.email) {
      const entered = { accountId: agent.account_id, email: next.email, by: viewer }
      await endInvitationElsewhere(tx, agent.account_id, next.email)
      await enterAddress(tx, services, entered)
    }
    if (officeId !== agent.office_id) await recordMove(tx, viewer, agent, { officeId, username })
  })
}

/** Keeps who moved an agent: what they sell from then on is paid to the other office. */
async function recordMove(
  tx: Tx,
  viewer: Viewer,
  agent: AgentDetails,
  { officeId, username }: { officeId: number; username: string },
): Promise<void> {
  const office = await findOffice(tx, sightOf(viewer), officeId)
  await insertSealed(tx, 'agent_moves', {
    agent_id: agent.id,
    agent_name: username,
    from_office_id: agent.office_id,
    from_office_name: agent.office_name,
    to_office_id: officeId,
    to_office_name: office?.name ?? '',
    moved_at: tx.now,
    moved_by: viewer.accountId,
    moved_by_name: viewer.username,
  })
}

/** What the form prefills. The office follows other rules. */
type FormColumn = Exclude<
  keyof Agents,
  'id' | 'version' | 'created_at' | 'approved_at' | 'fraud_flagged_at' | 'office_id'
>

const columnsOf = (agent: Omit<NewAgent, 'password' | 'passwordConfirm'> | AgentForm) =>
  ({
    first_name: agent.firstName,
    last_name: agent.lastName,
    must_read: agent.mustRead,
    active: agent.active,
    hidden: agent.hidden,
  }) satisfies Record<FormColumn, unknown>

/** Viewers who cannot see hidden agents must not hide one from themselves. */
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
  if (officeId == null) throw invalid({ officeId: [requestFor('officeId')] })
  if (!(await findOffice(tx, sightOf(viewer), officeId))) {
    throw invalid({ officeId: ['no longer exists'] })
  }
  return officeId
}

async function officeAfter(
  tx: Tx,
  viewer: Viewer,
  { office_id: present }: AgentDetails,
  chosen: number,
): Promise<number> {
  if (chosen === present) return present
  if (!can(viewer, 'agents.change-office')) {
    throw invalid({ officeId: ['can only be changed by a superadmin'] })
  }
  return chooseOffice(tx, viewer, chosen)
}

/**
 * Turns sites on and off, as specified by either of the two alternatives. If the agent moves, sites of the
 * previous office are accepted too.
 */
async function applySites(
  tx: Tx,
  { agentId, officeId, before = officeId }: { agentId: number; officeId: number; before?: number },
  { siteIds, sites }: Pick<NewAgent, 'siteIds' | 'sites'>,
): Promise<void> {
  if (siteIds) {
    const offered = await findSitesOfOffices(tx, [officeId])
    refuseUnknown(offered, siteIds, 'siteIds')
    const off = [...offered.keys()].filter((id) => !siteIds.includes(id))
    await switchSites(tx, agentId, { on: siteIds, off })
  } else if (sites) {
    const offered = await findSitesOfOffices(tx, [officeId, before])
    const ids = (enable: boolean) =>
      sites.filter((site) => site.enable === enable).map(({ siteId }) => siteId)
    const [on, off] = [ids(true), ids(false)]
    refuseUnknown(offered, [...on, ...off], 'sites')
    if (
      sites.some(({ siteId, sitename = offered.get(siteId) }) => sitename !== offered.get(siteId))
    ) {
      throw invalid({ sites: ['can’t change a site’s name'] })
    }
    await switchSites(tx, agentId, { on, off })
  }
}

function refuseUnknown(
  offered: ReadonlyMap<number, string>,
  siteIds: readonly number[],
  field: string,
): void {
  if (!siteIds.every((id) => offered.has(id))) {
    throw invalid({ [field]: ['contains a site that the office may not sell'] })
  }
}

/** If the block stays, so does an open login window. */
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
