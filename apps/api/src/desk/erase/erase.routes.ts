import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { type Route, route } from '../../http/route.ts'
import { deleteAgent } from './delete-agent.ts'

export const eraseRoutes = (services: Parameters<typeof deleteAgent>[0]): Route[] => [
  route(agentsEndpoints.deleteAgent, ({ viewer, params: { id }, query }) =>
    deleteAgent(services, viewer, id, query),
  ),
]
