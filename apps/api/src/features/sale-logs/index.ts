export { findSales, type SaleWanted } from './find-sales.queries.ts'
export { saleLogsRoutes } from './sale-logs.routes.ts'
export { latestSales } from './search-sale-logs.ts'
