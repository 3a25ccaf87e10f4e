import type { Db } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { noPause, type Pace, type Reach } from '../../lib/log/progress.ts'
import { findHead } from './audit-log.queries.ts'
import { hashOf, NO_HASH } from './entry.ts'
import { findLinksAfter } from './verify-audit-log.queries.ts'

export type AuditFinding =
  | {
      /** The number of entries in the intact chain. */
      entries: number
      /** The hash of the last entry. Stored elsewhere, it later proves that no earlier entry was rebuilt. */
      hash: string
      broken: undefined
    }
  | {
      /** Describes the first entry that was tampered with. */
      broken: string
    }

const PAGE = 2_000

/**
 * Verifies the hash chain of the common logs from first to last entry, in one snapshot.
 *
 * Detects entries that were changed, removed or inserted, also at the end. Does not detect a chain that
 * somebody with full write access rebuilt from some entry on: only a hash stored elsewhere, passed as `known`,
 * does.
 */
export function verifyAuditLog(
  db: Db,
  {
    known,
    reach,
    pace = noPause,
  }: { known?: { id: number; hash: string }; reach?: Reach; pace?: Pace } = {},
): Promise<AuditFinding> {
  return inSnapshot(db, async (tx) => {
    const head = await findHead(tx)
    let id = 0
    let hash: Buffer = NO_HASH
    for (;;) {
      const links = await findLinksAfter(tx, id, PAGE)
      for (const link of links) {
        if (link.entry.id !== id + 1) return missing(id + 1, link.entry.id - 1)
        if (!hashOf(hash, link.entry).equals(link.hash) || !link.previousHash.equals(hash)) {
          return { broken: `Entry ${link.entry.id} was changed.` }
        }
        id = link.entry.id
        hash = link.hash
        if (known?.id === id && known.hash !== hash.toString('hex')) {
          return { broken: `Entry ${id} or an earlier one was rebuilt: its hash differs.` }
        }
      }
      if (links.length < PAGE) break
      reach?.(id, head.id, 'entries')
      await pace()
    }
    if (id < Math.max(head.id, known?.id ?? 0))
      return missing(id + 1, Math.max(head.id, known?.id ?? 0))
    if (id > head.id) return { broken: `Entry ${head.id + 1} was inserted outside of the app.` }
    if (!hash.equals(head.hash)) return { broken: `Entry ${id} was rebuilt: its hash differs.` }
    return { entries: id, hash: hash.toString('hex'), broken: undefined }
  })
}

const missing = (from: number, to: number): AuditFinding => ({
  broken: from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`,
})
