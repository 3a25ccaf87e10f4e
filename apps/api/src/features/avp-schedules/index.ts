export { findSchedulesOf } from './avp-schedules.queries.ts'
export { avpScheduleRoutes } from './avp-schedules.routes.ts'
export { rateAt, stepPlace, stepsOf } from './avp-steps.queries.ts'
export type { AvpStep } from './avp-steps.queries.ts'
