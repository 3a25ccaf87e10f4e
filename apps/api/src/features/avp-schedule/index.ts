export { findSchedulesOf } from './avp-schedule.queries.ts'
export { avpScheduleRoutes } from './avp-schedule.routes.ts'
export { rateAt, stepPlace, stepsOf } from './avp-steps.queries.ts'
export type { AvpStep } from './avp-steps.queries.ts'
