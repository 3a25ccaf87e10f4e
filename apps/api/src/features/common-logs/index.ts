export { startAuditLog } from './audit-log.ts'
export { commonLogsRoutes } from './common-logs.routes.ts'
export { verifyAuditLog } from './verify-audit-log.ts'
export { watchObjects } from './watch-objects.ts'
