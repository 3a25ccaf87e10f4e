export { insertAgent } from './agent-form.queries.ts'
export { findAgentRows } from './agent-list.queries.ts'
export { agentsRoutes } from './agents.routes.ts'
export { removeOrphanedEvents } from './delete-agent.ts'
