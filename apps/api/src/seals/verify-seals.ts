import type { Tx } from '../db/database.ts'
import { NO_SEAL, sealHash } from './seal.ts'
import { sealedColumnsOf, sealedTableNames } from './sealed-tables.ts'
import { compareRows, type SealsTaken, takeSeal } from './seals-of-rows.ts'
import { findRowHashes, findSealHead, findSealsAfter, type SealHead } from './seals.queries.ts'

/** A seal whose hash was stored elsewhere. */
export type KnownSeal = { number: number; hash: string }

export type SealFindings = {
  findings: string[]
  /** The length of the chain, and its last hash. Stored elsewhere, it later proves that no earlier seal was rebuilt. */
  seals: number
  hash: string
  /** Since when each table is sealed, and how many rows were there before. */
  begun: { table: string; at: Date; found: number }[]
}

/**
 * Verifies the chain of seals, and each sealed row against its newest seal. Names rows that differ from their seal, rows
 * without a seal, seals whose row is missing, and seals that were changed or removed.
 *
 * Does not detect a chain that somebody with full write access rebuilt from some seal on: only a hash stored elsewhere,
 * passed as `known`, does.
 *
 * @param most how many findings of one table are listed.
 */
export async function verifySeals(
  tx: Tx,
  { most, known }: { most: number; known?: KnownSeal | undefined },
): Promise<SealFindings> {
  const chain = await walkChain(tx, known)
  const findings = chain.findings.slice(0, most)
  const begun = new Map(chain.begun.map((one) => [one.table, one]))
  for (const table of sealedTableNames) {
    if (String(begun.get(table)?.columns) === String(sealedColumnsOf(table))) {
      const rows = await findRowHashes(tx, table, 'all')
      findings.push(...compareRows(table, rows, chain.newest.get(table)).slice(0, most))
    } else {
      findings.push(`${table} is not sealed yet. Start Tallyroom once, then verify again.`)
    }
  }
  return {
    findings,
    seals: chain.last.number,
    hash: chain.last.hash.toString('hex'),
    begun: chain.begun.map(({ table, at, found }) => ({ table, at, found })),
  }
}

type Chain = SealsTaken & { findings: string[]; last: SealHead }

async function walkChain(tx: Tx, known: KnownSeal | undefined): Promise<Chain> {
  const head = await findSealHead(tx)
  const chain: Chain = {
    findings: [],
    last: { number: 0, hash: NO_SEAL },
    newest: new Map(),
    begun: [],
  }
  const { findings } = chain
  for (;;) {
    const seals = await findSealsAfter(tx, chain.last.number, PAGE)
    for (const seal of seals) {
      const { last } = chain
      if (seal.number > last.number + 1) {
        findings.push(missingSeals(last.number + 1, seal.number - 1))
      } else if (!sealHash(last.hash, seal).equals(seal.hash)) {
        findings.push(`Seal ${seal.number} was changed.`)
      }
      const change = takeSeal(chain, seal)
      if (change) findings.push(change)
      chain.last = seal
      if (known?.number === seal.number && known.hash !== seal.hash.toString('hex')) {
        findings.push(`Seal ${seal.number} or an earlier one was rebuilt: its hash differs.`)
      }
    }
    if (seals.length < PAGE) break
  }
  const { last } = chain
  const end = Math.max(head?.number ?? 0, known?.number ?? 0)
  if (last.number < end) findings.push(missingSeals(last.number + 1, end))
  else if (!head) findings.push('The end of the seals is not recorded any more.')
  else if (last.number > head.number) {
    findings.push(`Seal ${head.number + 1} was added outside of Tallyroom.`)
  } else if (!last.hash.equals(head.hash)) findings.push(`Seal ${last.number} was rebuilt.`)
  return chain
}

const PAGE = 2_000

const missingSeals = (from: number, to: number): string =>
  from === to ? `Seal ${from} is missing.` : `Seals ${from} to ${to} are missing.`
