export { clickLogsRoutes } from './click-logs.routes.ts'
