export { announcementsRoutes } from './announcements.routes.ts'
export { lastNews } from './news.ts'
