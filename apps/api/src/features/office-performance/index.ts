export { officeRanking } from './office-performance.ts'
export { officePerformanceRoutes } from './office-performance.routes.ts'
