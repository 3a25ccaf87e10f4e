export { listCloseAgents, readStanding } from './avp-week.ts'
export { avpWeekRoutes } from './avp-week.routes.ts'
