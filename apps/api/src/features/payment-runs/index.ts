export { paymentRunsRoutes } from './payment-runs.routes.ts'
