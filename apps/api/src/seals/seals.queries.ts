import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../db/database.ts'
import { insertRows } from '../db/rows.queries.ts'
import type { DB } from '../db/types.ts'
import {
  type Sealed,
  sealedColumnsOf,
  type SealedTable,
  sealedTableNames,
  sealedTables,
} from './sealed-tables.ts'

export type SealKind = 'begun' | 'found' | 'row' | 'gone'

/** A row's primary key, with `/` between its columns, and the hashes of its content. */
export type RowHashes = {
  key: string
  /** Of all sealed columns. */
  content: Buffer
  /** Of those that never change. */
  fixed: Buffer
}

/** A seal without its place in the chain. */
export type NewSeal = {
  kind: SealKind
  table: string
  key: string
  content: Buffer | null
  fixed: Buffer | null
  was: Buffer | null
  columns: readonly string[] | null
  begunAt: Date | null
}

export type SealRow = NewSeal & { number: number; hash: Buffer }

export type SealHead = { number: number; hash: Buffer }

/** Which rows: those with these values, or one of these values, in these columns. */
export type Which = Readonly<Record<string, Value | readonly Value[]>>
export type Value = string | number | boolean

/**
 * Hashes the content of rows, in the order of their keys. Of several `which`, rows that match one. `columns` are those that
 * were sealed, today's by default.
 */
export async function findRowHashes(
  db: DbOrTx,
  table: SealedTable,
  which: Which | readonly Which[] | 'all',
  columns: readonly string[] = sealedColumnsOf(table),
): Promise<RowHashes[]> {
  const { key, fixed }: Sealed = sealedTables[table]
  const { rows } = await sql<RowHashes>`
    select
      ${keyOf(key)} as key,
      ${hashOf(columns)} as content,
      ${hashOf([...key, ...fixed])} as fixed
    from ${sql.table(table)}
    where ${which === 'all' ? sql`true` : isOneOf([which].flat())}
    order by ${sql.join(key.map((column) => sql.ref(column)))}
  `.execute(db)
  return rows
}

/**
 * The hash of columns, by name. Values are hashed as text: sessions have one time zone and one date style. A null has the
 * same hash as no column, so that a new column leaves the hashes of older rows as they are.
 */
function hashOf(columns: readonly string[]): RawBuilder<Buffer> {
  const pairs = columns
    .toSorted()
    .map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}::text`)
  return sql<Buffer>`
    sha256(convert_to(jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))::text, 'UTF8'))
  `
}

const keyOf = (key: readonly string[]): RawBuilder<string> =>
  sql`concat_ws('/', ${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))})`

const isOneOf = (all: readonly Which[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    all.map((which) => sql`(${conditionOf(which)})`),
    sql` or `,
  )})`

const conditionOf = (which: Which): RawBuilder<unknown> =>
  sql.join(
    Object.entries(which).map(([column, value]) =>
      Array.isArray(value)
        ? sql`${sql.ref(column)} = any(${[...value]})`
        : sql`${sql.ref(column)} = ${value}`,
    ),
    sql` and `,
  )

/**
 * The number of a row's first seal: its place in the chain, which is the order of commits. 0: the row was found when its
 * seals began. Infinite without a seal.
 */
export const placeOf = (table: SealedTable, key: RawBuilder<unknown>) => sql<number>`
  coalesce(
    (
      select case seal.kind when 'row' then seal.number else 0 end
      from pay_seals as seal
      where seal.table_name = ${sql.lit(table)} and seal.row_key = ${key}
      order by seal.number
      limit 1
    )::float8,
    'infinity'
  )
`

/** @param before a place in the chain of seals; undefined: now */
export type AsOf = { before?: number | undefined }

/** Whether a row stood at a moment. @param key as in `RowHashes` */
export const stoodAt = ({ before }: AsOf, table: SealedTable, key: RawBuilder<unknown>) =>
  before === undefined ? sql<boolean>`true` : sql<boolean>`${placeOf(table, key)} < ${before}`

/** Where the seals of a table begin; undefined if they have not. */
export async function findBegunAt(db: DbOrTx, table: SealedTable): Promise<number | undefined> {
  const { rows } = await sql<{ begun: number | null }>`
    select min(number) as begun from pay_seals where table_name = ${table} and kind = 'begun'
  `.execute(db)
  return rows[0]?.begun ?? undefined
}

/**
 * Locks the chain until the transaction ends. Whoever decides by what others did locks it before they look: then all of it
 * is committed, with earlier seals, or comes later.
 */
export const lockSealHead = (tx: Tx): Promise<SealHead> =>
  tx.selectFrom('pay_seal_head').select(['number', 'hash']).forUpdate().executeTakeFirstOrThrow()

export const findSealHead = (db: DbOrTx): Promise<SealHead | undefined> =>
  db.selectFrom('pay_seal_head').select(['number', 'hash']).executeTakeFirst()

/** The tables whose seals have begun, with the columns that are sealed. */
export async function findBegun(db: DbOrTx): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('pay_seals')
    .select(['table_name', 'columns'])
    .where('kind', '=', 'begun')
    .orderBy('number')
    .execute()
  return new Map(rows.map((row) => [row.table_name, row.columns ?? []]))
}

/** The sealed tables that have rows. */
export async function findFilled(db: DbOrTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    ${sql.join(
      sealedTableNames.map(
        (table) => sql`
          select ${sql.lit(table)} as name where exists (select 1 from ${sql.table(table)})`,
      ),
      sql` union all `,
    )}
  `.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** The content that each row of a table was last sealed with, by key. */
export async function findNewestSeals(
  db: DbOrTx,
  table: SealedTable,
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await db
    .selectFrom('pay_seals')
    .distinctOn('row_key')
    .select(['row_key', 'content'])
    .where('table_name', '=', table)
    .where('kind', '<>', 'begun')
    .orderBy('row_key')
    .orderBy('number', 'desc')
    .execute()
  return new Map(rows.flatMap((row) => (row.content ? [[row.row_key, row.content] as const] : [])))
}

/** The next seals after a number, in order. */
export async function findSealsAfter(
  db: DbOrTx,
  number: number,
  limit: number,
): Promise<SealRow[]> {
  const rows = await db
    .selectFrom('pay_seals')
    .selectAll()
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(sealOf)
}

const sealOf = (row: Selectable<DB['pay_seals']>): SealRow => ({
  number: row.number,
  kind: row.kind as SealKind, // pay_seals__kind
  table: row.table_name,
  key: row.row_key,
  content: row.content,
  fixed: row.fixed,
  was: row.was,
  columns: row.columns,
  begunAt: row.begun_at,
  hash: row.hash,
})

/**
 * All seals of these rows of a table, and of rows that are not there any more, in order; each with the hash of the seal
 * before it, null if that is missing. `keys` must be of rows that are there.
 */
export async function findSealsOfRows(
  db: DbOrTx,
  table: SealedTable,
  keys: readonly string[],
): Promise<(SealRow & { previous: Buffer | null })[]> {
  const { key }: Sealed = sealedTables[table]
  const { rows } = await sql<Selectable<DB['pay_seals']> & { previous: Buffer | null }>`
    with found as (
      select * from pay_seals
      where table_name = ${table} and row_key = any(${[...keys]}::text[])
      union all
      -- Also where the table's seals began: no row has its key.
      select * from pay_seals as seal
      where table_name = ${table}
        and not exists (select from ${sql.table(table)} where ${keyOf(key)} = seal.row_key)
    )
    select found.*, previous.hash as previous
    from found
    left join pay_seals as previous on previous.number = found.number - 1
    order by found.number
  `.execute(db)
  return rows.map((row) => ({ ...sealOf(row), previous: row.previous }))
}

/** Appends seals to the chain, which then ends with the last of them. */
export async function insertSeals(tx: Tx, seals: readonly SealRow[]): Promise<void> {
  await insertRows(
    tx,
    'pay_seals',
    seals.map((seal) => ({
      number: seal.number,
      kind: seal.kind,
      table_name: seal.table,
      row_key: seal.key,
      content: seal.content,
      fixed: seal.fixed,
      was: seal.was,
      columns: seal.columns === null ? null : [...seal.columns],
      begun_at: seal.begunAt,
      hash: seal.hash,
    })),
  )
  const last = seals.at(-1)
  if (!last) return
  await tx.updateTable('pay_seal_head').set({ number: last.number, hash: last.hash }).execute()
}
