import type { ObjectRef } from '@tallyroom/contract/desk/common-logs'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import type { RawBuilder } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** An object before or after a call: what its history compares. */
export type Snapshot = {
  name: string
  /** Objects whose history also shows its changes: an agent's office, a link type's site. */
  also: readonly ObjectRef[]
  /** Values as forms show them, by field name. Lists are compared item by item. */
  fields: Readonly<Record<string, string | readonly string[]>>
  /** Values that are only compared, in memory. The entry records only that they changed. */
  secrets: Readonly<Record<string, string>>
}

export type Find = (
  db: DbOrTx,
  keys: readonly string[],
  now: Date,
) => Promise<ReadonlyMap<string, Snapshot>>

/** A finder from a query, whose rows have a `key`. */
export const finder =
  <Row extends { key: string }>(
    query: (keys: readonly string[], now: Date) => RawBuilder<Row>,
    snapshotOf: (row: Row) => Partial<Snapshot> & Pick<Snapshot, 'name' | 'fields'>,
  ): Find =>
  async (db, keys, now) => {
    const { rows } = await query(keys, now).execute(db)
    return new Map(rows.map((row) => [row.key, { also: [], secrets: {}, ...snapshotOf(row) }]))
  }

export const state = (active: boolean) => (active ? 'Activated' : 'Suspended')
export const yes = (value: boolean) => (value ? 'yes' : 'no')
export const pesos = (centavos: number) => formatPesos(centavos / 100)
export const dollars = (cents: number) => formatDollars(cents / 100)
