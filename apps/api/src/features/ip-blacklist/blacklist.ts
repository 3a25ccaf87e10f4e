import type { ChangeWatch } from '../../db/changes.ts'
import type { Db, DbOrTx } from '../../db/database.ts'
import { canonicalIp, normalAddress } from '../../lib/ip-address.ts'
import { findAllRanges, isAnyListed } from './ip-blacklist.queries.ts'
import { buildIpMatcherInSlices, type IpMatcher } from './ip-matcher.ts'
import { networksAround } from './ip-range.ts'

/** The black list in the memory of this process. */
export type Blacklist = {
  /** False until loaded for the first time. */
  isLoaded(): boolean
  /** Whether an address, in any notation, is listed. Always false for text that is not an address. */
  has(ip: string): boolean
}

/** Loads the black list and keeps it fresh: changes take effect within a second in every process. */
export function keepBlacklist(db: Db, changes: ChangeWatch): Blacklist {
  let matcher: IpMatcher | undefined
  changes.keepFresh(
    ['ip-blacklist'],
    async () => {
      matcher = await buildIpMatcherInSlices(await findAllRanges(db))
    },
    // Long lists are added line by line; not every line is worth a reload.
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
 * The same by querying the database, for sign-in: takes effect at once, even if this process has not loaded the
 * list yet.
 */
export const isBlacklisted = (db: DbOrTx, ip: string): Promise<boolean> =>
  isAnyListed(db, networksAround(normalAddress(ip)))
