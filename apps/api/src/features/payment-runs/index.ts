export { countRunsToApprove } from './approvers.queries.ts'
export { paymentRunsRoutes } from './payment-runs.routes.ts'
