export { rateBackdatingRoutes } from './rate-backdating.routes.ts'
