export { find } from './find.ts'
export { findRoutes } from './find.routes.ts'
