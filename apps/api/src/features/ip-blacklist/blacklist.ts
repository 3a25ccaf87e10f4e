import type { ChangeWatch } from '../../db/changes.ts'
import type { Db, DbOrTx } from '../../db/database.ts'
import { canonicalIp, normalAddress } from '../../lib/ip-address.ts'
import { findAllRanges, isAnyListed } from './ip-blacklist.queries.ts'
import { buildIpMatcherInSlices, type IpMatcher } from './ip-matcher.ts'
import { networksAround } from './ip-range.ts'

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
  changes.keepFresh(
    'ip-blacklist',
    async () => {
      matcher = await buildIpMatcherInSlices(await findAllRanges(db))
    },
    // A list of lines is added line by line: not each of them is worth loading the whole list.
    { restMs: 400 },
  )
  return {
    isLoaded: () => matcher !== undefined,
    has(ip) {
      const canonical = canonicalIp(ip)
      return canonical !== undefined && matcher !== undefined && matcher(canonical)
    },
  }
}

/**
 * The same asked of the database, for signing in: true from the moment an address is listed, also in a process
 * that has not loaded the list yet.
 */
export const isBlacklisted = (db: DbOrTx, ip: string): Promise<boolean> =>
  isAnyListed(db, networksAround(normalAddress(ip)))
