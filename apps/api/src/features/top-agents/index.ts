export { allTimeUntil, presentAgents, top10 } from './top10.ts'
export { findTopAgents, type TopAgent } from './top-agents.queries.ts'
export { topAgentsRoutes } from './top-agents.routes.ts'
