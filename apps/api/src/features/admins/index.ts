export { adminsRoutes } from './admins.routes.ts'
