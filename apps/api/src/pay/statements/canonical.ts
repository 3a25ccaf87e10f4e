import { createHash } from 'node:crypto'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'

/** JSON with sorted keys and without spaces: the same content always has the same bytes. */
export const canonicalBytes = (content: StatementContent): Buffer =>
  Buffer.from(JSON.stringify(sortedKeys(content)))

/** The content hash of a statement's bytes. */
export const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, one]) => [key, sortedKeys(one)]))
}
