export { findSchedulesOf, type StoredSchedule, stepsOf } from './avp-schedules.queries.ts'
export { avpScheduleRoutes } from './avp-schedules.routes.ts'
