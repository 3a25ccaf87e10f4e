export { brandRoutes } from './brand.routes.ts'
export { landingPage } from './landing.page.ts'
