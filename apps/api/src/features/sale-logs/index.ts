export { findSales, type SaleWanted } from './find-sales.queries.ts'
export { saleLogsRoutes } from './sale-logs.routes.ts'
export { latestSales, searchSaleLogs, WHOLE_ADDRESS } from './search-sale-logs.ts'
