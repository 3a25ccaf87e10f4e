export { countRunsToApprove } from './payment-runs.queries.ts'
export { paymentRunsRoutes } from './payment-runs.routes.ts'
