export { officesRoutes } from './offices.routes.ts'
export {
  allowEveryOffice,
  findOffice,
  lockOffice,
  type OfficeDetails,
  updateOfficeRow,
} from './office-form.queries.ts'
export { isOfficeInScope } from './choices.queries.ts'
export { findOfficeRows } from './office-list.queries.ts'
export { findSiteList } from './site-list.queries.ts'
export { agentSeen } from '../../access/sight.queries.ts'
export type { GivesBack } from './gives-back.ts'
export { addOffice } from './save-office.ts'
