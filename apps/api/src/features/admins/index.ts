export { findAdmins } from './admins.queries.ts'
export { adminsRoutes } from './admins.routes.ts'
export { resetPassword, setSpecialPermission, SPECIAL_PERMISSIONS } from './operator.ts'
