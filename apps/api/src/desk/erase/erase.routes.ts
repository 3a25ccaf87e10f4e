import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { deleteAgent } from './delete-agent.ts'

export const eraseRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(agentsEndpoints.deleteAgent, async ({ viewer, params: { id }, query }) => {
    await deleteAgent(db, viewer, id, query.unpaidCentavos)
    return { ok: true as const }
  }),
]
