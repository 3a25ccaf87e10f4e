export { officeCharts } from './office-charts.ts'
export { officePerformance, officeRanking } from './office-performance.ts'
export { officePerformanceRoutes } from './office-performance.routes.ts'
