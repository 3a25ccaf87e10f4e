export { keepBlacklist, type Blacklist } from './blacklist.ts'
