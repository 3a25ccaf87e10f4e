import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findHead } from './audit-log.queries.ts'
import { hashOf, NO_HASH } from './entry.ts'
import { findLinksAfter } from './verify-audit-log.queries.ts'

export type AuditFinding =
  | {
      /** How many entries the unbroken chain has. */
      entries: number
      /** The hash of its last entry. Kept elsewhere, it shows later that nothing before it was made anew. */
      hash: string
      broken: undefined
    }
  | {
      /** The first entry that is not what was written, in words. */
      broken: string
    }

const PAGE = 2_000

/**
 * Follows the chain of the common logs from its first entry to its last, in one snapshot.
 *
 * Shows an entry that was changed, removed or put in between, also at the end. Does not show a chain that
 * somebody who may write everything has made anew from some entry on: only a hash that was kept elsewhere does.
 * Such a one goes into `known`.
 */
export function verifyAuditLog(
  db: Db,
  { known }: { known?: { id: number; hash: string } } = {},
): Promise<AuditFinding> {
  return inTransaction(
    db,
    async (tx) => {
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
            return { broken: `Entry ${id} or one before it was made anew: its hash is another.` }
          }
        }
        if (links.length < PAGE) break
      }
      if (id < Math.max(head.id, known?.id ?? 0))
        return missing(id + 1, Math.max(head.id, known?.id ?? 0))
      if (id > head.id) return { broken: `Entry ${head.id + 1} was put in beside the app.` }
      if (!hash.equals(head.hash))
        return { broken: `Entry ${id} was made anew: its hash is another.` }
      return { entries: id, hash: hash.toString('hex'), broken: undefined }
    },
    { isolation: 'repeatable read', accessMode: 'read only' },
  )
}

const missing = (from: number, to: number): AuditFinding => ({
  broken: from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`,
})
