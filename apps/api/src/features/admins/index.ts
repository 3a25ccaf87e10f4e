export { adminsRoutes } from './admins.routes.ts'
export {
  resetPassword,
  setSpecialPermission,
  SPECIAL_PERMISSIONS,
  type SpecialPermission,
} from './operator.ts'
