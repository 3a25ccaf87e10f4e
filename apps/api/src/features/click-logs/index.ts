export { findClickById } from './click-logs.queries.ts'
export { clickLogsRoutes } from './click-logs.routes.ts'
export { type ClickLogServices, searchClickLogs } from './search-click-logs.ts'
