export { demoVisitorsRoutes } from './demo-visitors.routes.ts'
export { makeDemoVisitors } from './demo-visitors.ts'
