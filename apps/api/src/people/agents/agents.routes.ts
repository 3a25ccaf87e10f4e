import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { sightOf } from '../../access/sight.ts'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { revealPassword } from '../accounts/password-column.ts'
import { findSiteList } from '../offices/site-list.queries.ts'
import type { GivesBack } from './gives-back.ts'
import { findAgent } from './agent-form.queries.ts'
import { createAgent, getAgent, updateAgent } from './save-agent.ts'
import { searchAgents } from './search-agents.ts'
import { setAgentStatus } from './set-agent-status.ts'

type AgentServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

export const agentsRoutes = (services: AgentServices & GivesBack): Route[] => [
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

  route(agentsEndpoints.agentsStatus, ({ viewer, body }) => setAgentStatus(services, viewer, body)),
]
