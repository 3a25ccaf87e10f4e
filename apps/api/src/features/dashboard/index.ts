export { dashboardRoutes } from './dashboard.routes.ts'
export { makeHome } from './home.ts'
