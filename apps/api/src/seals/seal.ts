import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import { insertRow, insertRows, type TableWith } from '../db/rows.queries.ts'
import type { DB } from '../db/types.ts'
import { type Sealed, type SealedTable, sealedTables } from './sealed-tables.ts'
import {
  findRowHashes,
  insertSeals,
  lockSealHead,
  type NewSeal,
  type SealRow,
  type Value,
  type Which,
} from './seals.queries.ts'

/**
 * Seals rows that were just inserted, in the same transaction. Writes of seals wait for each other until their
 * transactions end: call it late in a long one.
 */
export async function sealRows(tx: Tx, table: SealedTable, which: Which): Promise<void> {
  const rows = await findRowHashes(tx, table, which)
  await appendSeals(
    tx,
    rows.map((row) => ({ ...empty, kind: 'row', table, ...row })),
  )
}

/** Inserts a row, seals it and returns its id. */
export async function insertSealed<Name extends SealedTable & TableWith<'id'>>(
  tx: Tx,
  table: Name,
  row: Insertable<DB[Name]>,
): Promise<number> {
  const id = await insertRow(tx, table, row)
  await sealRows(tx, table, { id })
  return id
}

/** Inserts one row or several that have their keys, and seals them. They differ in no more than one column of the key. */
export async function insertSealedRows<Name extends SealedTable>(
  tx: Tx,
  table: Name,
  rows: Insertable<DB[Name]> | readonly Insertable<DB[Name]>[],
): Promise<void> {
  const all: readonly Insertable<DB[Name]>[] = Array.isArray(rows) ? rows : [rows]
  if (all.length === 0) return
  await insertRows(tx, table, all)
  const { key }: Sealed = sealedTables[table]
  const valuesOf = (column: string) =>
    all.map((row) => (row as Readonly<Record<string, unknown>>)[column] as Value)
  await sealRows(tx, table, Object.fromEntries(key.map((column) => [column, valuesOf(column)])))
}

/** Runs `change`, which updates or deletes sealed rows, and seals what it leaves. */
export async function changeSealed<Result>(
  tx: Tx,
  table: SealedTable,
  which: Which,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await findRowHashes(tx, table, which)
  const result = await change()
  const after = new Map((await findRowHashes(tx, table, which)).map((row) => [row.key, row]))
  await appendSeals(
    tx,
    before.flatMap(({ key, content, fixed }): NewSeal[] => {
      const row = after.get(key)
      if (!row) return [{ ...empty, kind: 'gone', table, key, was: content, content: null, fixed }]
      if (row.content.equals(content)) return []
      return [{ ...empty, kind: 'row', table, ...row, was: content }]
    }),
  )
  return result
}

const empty = { was: null, columns: null, begunAt: null }

/** Appends seals to the chain. */
export async function appendSeals(tx: Tx, seals: readonly NewSeal[]): Promise<void> {
  if (seals.length === 0) return
  let { number, hash } = await lockSealHead(tx)
  const chained = seals.map((seal): SealRow => {
    number += 1
    hash = sealHash(hash, { ...seal, number })
    return { ...seal, number, hash }
  })
  await insertSeals(tx, chained)
}

/** What the chain begins with. */
export const NO_SEAL = Buffer.alloc(32)

/** A seal's hash, over itself and the hash of the one before it. */
export const sealHash = (previous: Buffer, seal: Omit<SealRow, 'hash'>): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(
      JSON.stringify([
        seal.number,
        seal.kind,
        seal.table,
        seal.key,
        seal.content?.toString('hex') ?? null,
        seal.fixed?.toString('hex') ?? null,
        seal.was?.toString('hex') ?? null,
        seal.columns,
        seal.begunAt?.toISOString() ?? null,
      ]),
    )
    .digest()
