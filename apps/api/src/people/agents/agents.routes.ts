import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { sightOf } from '../../access/sight.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { revealPassword } from '../accounts/password-column.ts'
import { inviteRoutes } from '../invitations/invite-routes.ts'
import { sendAddressLinkAgain } from '../new-address/new-address.ts'
import { findSiteList } from '../offices/site-list.queries.ts'
import type { FindsEarnings } from '../sellers/sellers.ts'
import { endSessionsRoute } from '../sessions/end-sessions-route.ts'
import type { GivesBack } from './gives-back.ts'
import { findAgent, lockAgent } from './agent-form.queries.ts'
import { createAgent, getAgent, updateAgent } from './save-agent.ts'
import { searchAgents } from './search-agents.ts'
import { setAgentStatus } from './set-agent-status.ts'

type AgentServices = Pick<
  Services,
  'config' | 'db' | 'reportDb' | 'clock' | 'secret' | 'formerSecrets'
>

export const agentsRoutes = (services: AgentServices & GivesBack & FindsEarnings): Route[] => [
  route(agentsEndpoints.searchAgents, ({ viewer, body }) => searchAgents(services, viewer, body)),

  route(agentsEndpoints.agent, ({ viewer, params: { id } }) => getAgent(services, viewer, id)),

  route(agentsEndpoints.agentPassword, async ({ viewer, params: { id } }) => {
    const agent = await findAgent(services.db, sightOf(viewer), id)
    if (!agent) throw notFound('agent')
    return revealPassword(services, viewer, agent.account_id)
  }),

  route(agentsEndpoints.agentSites, async ({ viewer, params: { id }, query }) => {
    const { db } = services
    const sight = sightOf(viewer)
    const agent = await findAgent(db, sight, id)
    if (!agent) throw notFound('agent')
    return findSiteList(
      db,
      { officeId: agent.office_id, agentId: id },
      {
        sortField: query.sortField,
        ascending: query.sortAsc,
        withHidden: sight.withHidden,
      },
    )
  }),

  formRoute(agentsEndpoints.createAgent, async ({ viewer, body }) => ({
    id: await createAgent(services, viewer, body),
  })),

  formRoute(agentsEndpoints.updateAgent, ({ viewer, params: { id }, body }) =>
    updateAgent(services, viewer, id, body),
  ),

  route(addressesEndpoints.sendAgentAddressLink, ({ viewer, params: { id } }) =>
    inTransaction(services.db, async (tx) => {
      const agent = await lockAgent(tx, sightOf(viewer), id)
      if (!agent) throw notFound('agent')
      await sendAddressLinkAgain(tx, services, agent.account_id)
    }),
  ),

  ...inviteRoutes(services, {
    mail: invitationsEndpoints.inviteAgent,
    link: invitationsEndpoints.makeAgentInvitationLink,
    withdraw: invitationsEndpoints.withdrawAgentInvitation,
    what: 'agent',
    lock: lockAgent,
  }),

  endSessionsRoute(services, {
    call: agentsEndpoints.endAgentSessions,
    what: 'agent',
    lock: async (tx, sight, id) => (await lockAgent(tx, sight, id))?.account_id,
  }),

  route(agentsEndpoints.agentsStatus, ({ viewer, body }) => setAgentStatus(services, viewer, body)),
]
