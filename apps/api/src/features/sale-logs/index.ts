export { saleLogsRoutes } from './sale-logs.routes.ts'
export { latestSales } from './search-sale-logs.ts'
