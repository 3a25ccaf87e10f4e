export { approvalRoutes } from './approval.routes.ts'
