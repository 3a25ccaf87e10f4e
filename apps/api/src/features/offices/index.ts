export { officesRoutes } from './offices.routes.ts'
