export { presentAgents } from './present-top10.ts'
export { findTopAgents, type TopAgent } from './top-agents.queries.ts'
export { allTimeUntil, top10 } from './top10.ts'
export { topAgentsRoutes } from './top-agents.routes.ts'
