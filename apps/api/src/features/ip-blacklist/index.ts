export { blacklistOf, isBlacklisted, keepBlacklist, type Blacklist } from './blacklist.ts'
export { ipBlacklistRoutes } from './ip-blacklist.routes.ts'
