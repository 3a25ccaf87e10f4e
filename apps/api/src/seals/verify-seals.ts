import type { Tx } from '../db/database.ts'
import { NO_SEAL, sealHash } from './seal.ts'
import {
  type Sealed,
  sealedColumnsOf,
  type SealedTable,
  sealedTableNames,
  sealedTables,
} from './sealed-tables.ts'
import {
  findRowHashes,
  findSealHead,
  findSealsAfter,
  type SealHead,
  type SealRow,
} from './seals.queries.ts'

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
      findings.push(...(await compareRows(tx, table, chain.newest.get(table))).slice(0, most))
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

/** By key: what a row was last sealed with. */
type Newest = Map<string, { content: Buffer; fixed: Buffer }>

async function compareRows(
  tx: Tx,
  table: SealedTable,
  newest: Newest | undefined = new Map(),
): Promise<string[]> {
  const { says } = sealedTables[table]
  const missing = new Set(newest.keys())
  const findings = (await findRowHashes(tx, table, 'all')).flatMap(({ key, content }) => {
    const seal = newest.get(key)
    missing.delete(key)
    if (!seal) return [`${says} ${key} has no seal: it was added outside of Tallyroom.`]
    return seal.content.equals(content) ? [] : [`${says} ${key} differs from its seal.`]
  })
  return [...findings, ...[...missing].map((key) => `${says} ${key} is sealed but missing.`)]
}

type Chain = {
  findings: string[]
  last: SealHead
  newest: Map<string, Newest>
  begun: { table: string; columns: readonly string[] | null; at: Date; found: number }[]
}

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
      const change = take(chain, seal)
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

/** Adds a seal to what is known of its row, and says what it contradicts. */
function take({ newest, begun }: Chain, seal: SealRow): string | undefined {
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

const missingSeals = (from: number, to: number): string =>
  from === to ? `Seal ${from} is missing.` : `Seals ${from} to ${to} are missing.`
