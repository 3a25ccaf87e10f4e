export { mailDueViews } from './mail-views.ts'
export { savedViewsRoutes } from './saved-views.routes.ts'
