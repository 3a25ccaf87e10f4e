export { linkTypesRoutes } from './link-types.routes.ts'
