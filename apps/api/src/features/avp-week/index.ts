export { type AvpReader, listCloseAgents, readStanding } from './avp-week.ts'
export { avpWeekRoutes } from './avp-week.routes.ts'
