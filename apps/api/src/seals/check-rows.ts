import type { Tx } from '../db/database.ts'
import { NO_SEAL, sealHash } from './seal.ts'
import type { SealedTable } from './sealed-tables.ts'
import { compareRows, type SealsTaken, takeSeal } from './seals-of-rows.ts'
import {
  findBegun,
  findRowHashes,
  findSealHead,
  findSealsOfRows,
  type SealRow,
  type Which,
} from './seals.queries.ts'

/** Rows of a sealed table that somebody relies on: those that match one of these. */
export type Relied = { table: SealedTable; which: readonly Which[] | 'all' }

/**
 * Compares rows with their seals by the rules of `verifySeals`: names those that differ from their seal, had differed before
 * the app changed them, or have none, and every row of these tables that is sealed but missing: whose it was, nobody can
 * say. Of the chain, only the links of these seals are verified. Lock its end before.
 *
 * Finds nothing in a database on which no release that keeps seals was ever started.
 */
export async function checkRows(tx: Tx, relied: readonly Relied[]): Promise<string[]> {
  const begun = await findBegun(tx)
  if (begun.size === 0) return []
  const head = await findSealHead(tx)
  const findings: string[] = []
  for (const { table, which } of relied) {
    const columns = begun.get(table)
    if (!columns) {
      findings.push(`${table} is not sealed yet. Start Tallyroom once.`)
      continue
    }
    // While a release that seals more columns is rolled out, both compare what is sealed.
    const rows = which.length === 0 ? [] : await findRowHashes(tx, table, which, columns)
    const seals = await findSealsOfRows(
      tx,
      table,
      rows.map(({ key }) => key),
    )
    const taken: SealsTaken = { newest: new Map(), begun: [] }
    for (const seal of seals) {
      const wrong = brokenLink(seal, head?.number ?? 0) ?? takeSeal(taken, seal)
      if (wrong !== undefined) findings.push(wrong)
    }
    findings.push(...compareRows(table, rows, taken.newest.get(table)))
  }
  return findings
}

/** What is wrong with a seal's place in the chain. */
function brokenLink(
  { previous, ...seal }: SealRow & { previous: Buffer | null },
  last: number,
): string | undefined {
  if (seal.number > last) return `Seal ${seal.number} was added outside of Tallyroom.`
  const before = seal.number === 1 ? NO_SEAL : previous
  if (!before) return `Seal ${seal.number - 1} is missing.`
  return sealHash(before, seal).equals(seal.hash) ? undefined : `Seal ${seal.number} was changed.`
}
