export { siteManualsRoutes } from './site-manuals.routes.ts'
