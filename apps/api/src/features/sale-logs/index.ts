export { saleLogsRoutes } from './sale-logs.routes.ts'
