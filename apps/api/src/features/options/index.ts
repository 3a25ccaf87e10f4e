export { optionsRoutes } from './options.routes.ts'
