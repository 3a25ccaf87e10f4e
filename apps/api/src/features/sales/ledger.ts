import type { CountedEvent } from '@tallyroom/domain/event-types'
import type { Insertable } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import type { SaleEvent } from './price-event.ts'

/** Where events are written and looked up. Both ledgers follow the same rules. */
export type Ledger = {
  /** Writes an event, its totals and `alsoInsert` atomically. False if the key is taken; then nothing is written. */
  insertOnce(db: DbOrTx, key: NewKey, event: SaleEvent, alsoInsert: ExtraRow[]): Promise<boolean>
  /** Adds another key to an existing event. False if it is taken. */
  insertFurtherKey(db: DbOrTx, key: string, holder: KeyHolder): Promise<boolean>
  /** The holders of these keys; free keys are missing. */
  findHolders(db: DbOrTx, keys: readonly string[]): Promise<KeyHolder[]>
  findEvent(db: DbOrTx, holder: KeyHolder): Promise<SaleEvent | undefined>
  /** The click's sales and bonuses on the site, including reversed ones. */
  findSalesOfClick(
    db: DbOrTx,
    click: { siteId: number; agentId: number; clickId: string },
  ): Promise<SaleEvent[]>
}

/** A row that is inserted atomically with an event. */
export type ExtraRow = {
  [Table in keyof DB]: { table: Table; row: Insertable<DB[Table]> }
}[keyof DB]

/** A key with its data. */
export type NewKey = {
  key: string
  /** Null for a reversal. */
  reported: CountedEvent | null
  /** A second key that must also be free, from before keys stored what was reported. */
  former?: string | undefined
}

/** The first event under a key. */
export type KeyHolder = {
  saleKey: string
  /** What the merchant reported; null for a reversal, or if the key does not store it. */
  reported: CountedEvent | null
  eventId: string
  agentId: number
  typeId: number
  clickId: string
}

/** Another transaction was faster. It has the SQLSTATE of a serialization failure, so `inTransaction` retries. */
export class LostRace extends Error {
  override name = 'LostRace'
  readonly code = '40001'
}
