import type { ChangeWatch } from '../../db/changes.ts'
import type { Db, DbOrTx } from '../../db/database.ts'
import { canonicalIp, normalAddress } from '../../lib/net/ip-address.ts'
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

/**
 * Loads the black list and keeps it fresh: changes take effect within a second in every process.
 * @param onLoad gets the ranges each time.
 */
export function keepBlacklist(
  db: Db,
  changes: ChangeWatch,
  onLoad?: (ranges: readonly string[]) => void,
): Blacklist {
  let matcher: IpMatcher | undefined
  changes.keepFresh(
    ['ip-blacklist'],
    async () => {
      const ranges = await findAllRanges(db)
      matcher = await buildIpMatcherInSlices(ranges)
      onLoad?.(ranges)
    },
    // Long lists are added line by line; not every line is worth a reload.
    { restMs: 400 },
  )
  return {
    isLoaded: () => matcher !== undefined,
    has: (ip) => isIn(matcher, ip),
  }
}

/** A black list that stays as it is. */
export async function blacklistOf(ranges: readonly string[]): Promise<Pick<Blacklist, 'has'>> {
  const matcher = await buildIpMatcherInSlices(ranges)
  return { has: (ip) => isIn(matcher, ip) }
}

function isIn(matcher: IpMatcher | undefined, ip: string): boolean {
  const canonical = canonicalIp(ip)
  return canonical !== undefined && matcher !== undefined && matcher(canonical)
}

/**
 * The same by querying the database, for sign-in: takes effect at once, even if this process has not loaded the
 * list yet.
 */
export const isBlacklisted = (db: DbOrTx, ip: string): Promise<boolean> =>
  isAnyListed(db, networksAround(normalAddress(ip)))
