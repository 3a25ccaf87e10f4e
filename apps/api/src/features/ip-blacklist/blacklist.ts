import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { canonicalIp } from '../../lib/ip-address.ts'
import { findAllRanges } from './ip-blacklist.queries.ts'
import { buildIpMatcher, type IpMatcher } from './ip-matcher.ts'

/** The black list of this process, in memory. */
export type Blacklist = {
  /** False until the list was loaded for the first time. */
  isLoaded(): boolean
  /** Whether an address, in whatever spelling, is listed. Text that is no address is not. */
  has(ip: string): boolean
}

/** Loads the black list and keeps it fresh: a change acts within a second on every process. */
export function keepBlacklist(db: Db, changes: ChangeWatch): Blacklist {
  let matcher: IpMatcher | undefined
  changes.keepFresh('ip-blacklist', async () => {
    matcher = buildIpMatcher(await findAllRanges(db))
  })
  return {
    isLoaded: () => matcher !== undefined,
    has(ip) {
      const canonical = canonicalIp(ip)
      return canonical !== undefined && matcher !== undefined && matcher(canonical)
    },
  }
}
