export { approvalRoutes } from './approval.routes.ts'
export { findApprovalQueue } from './approval.queries.ts'
