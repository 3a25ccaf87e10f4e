import { type Sealed, type SealedTable, sealedTables } from './sealed-tables.ts'
import type { RowHashes, SealRow } from './seals.queries.ts'

/** By key: what a row was last sealed with. */
export type Newest = Map<string, { content: Buffer; fixed: Buffer }>

/** What seals say of their rows, taken in the order of the chain. */
export type SealsTaken = {
  newest: Map<string, Newest>
  begun: { table: string; columns: readonly string[] | null; at: Date; found: number }[]
}

/** Adds a seal to what is known of its row, and says what it contradicts. */
export function takeSeal({ newest, begun }: SealsTaken, seal: SealRow): string | undefined {
  const { kind, table, key, content, fixed, was } = seal
  if (kind === 'begun') {
    // What never changes may be other columns from here on.
    begun.push({ table, columns: seal.columns, at: seal.begunAt ?? new Date(0), found: 0 })
    return undefined
  }
  const rows = newest.get(table) ?? new Map<string, { content: Buffer; fixed: Buffer }>()
  newest.set(table, rows)
  const before = rows.get(key)
  if (content && fixed) rows.set(key, { content, fixed })
  else rows.delete(key)
  if (kind === 'found') {
    const of = begun.findLast((one) => one.table === table)
    if (of) of.found += 1
    return undefined
  }
  const of: Sealed | undefined = sealedTables[table as SealedTable]
  const says = of?.says ?? table
  if (kind === 'gone' && of?.deletes !== true)
    return `${says} ${key} was deleted before seal ${seal.number}.`
  const isNew = was === null
  // What the seeds changed before its table's seals began is known by this seal only.
  const isFirst = before === undefined && !begun.some((one) => one.table === table)
  const isRight = isNew
    ? before === undefined
    : isFirst || (before?.content.equals(was) === true && fixed?.equals(before.fixed) === true)
  if (isRight) return undefined
  return isNew
    ? `${says} ${key} was replaced: seal ${seal.number} is not its first.`
    : `${says} ${key} had been changed outside of Tallyroom before seal ${seal.number}.`
}

/** Names rows that differ from their newest seal or have none, and those that are sealed but missing. */
export function compareRows(
  table: SealedTable,
  rows: readonly RowHashes[],
  newest: Newest = new Map(),
): string[] {
  const { says } = sealedTables[table]
  const missing = new Set(newest.keys())
  const findings = rows.flatMap(({ key, content }) => {
    const seal = newest.get(key)
    missing.delete(key)
    if (!seal) return [`${says} ${key} has no seal: it was added outside of Tallyroom.`]
    return seal.content.equals(content) ? [] : [`${says} ${key} differs from its seal.`]
  })
  return [...findings, ...[...missing].map((key) => `${says} ${key} is sealed but missing.`)]
}
