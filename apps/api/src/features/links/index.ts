export { linksRoutes } from './links.routes.ts'
export { chooseHost } from './generate-links.ts'
export { findUsedLinks } from './links.queries.ts'
