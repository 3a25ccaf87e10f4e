import type { CountedEvent } from '@tallyroom/domain/event-types'
import type { Insertable } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import type { SaleEvent } from './price-event.ts'

/** Where events are written and found again. The rule of recording is the same for both ledgers. */
export type Ledger = {
  /**
   * Writes an event, what it adds to the totals and `alsoInsert`, all or nothing.
   * False when the key is taken: then nothing was written.
   */
  insertOnce(db: DbOrTx, key: NewKey, event: SaleEvent, alsoInsert: ExtraRow[]): Promise<boolean>
  /** A further key for an event that is written. False when it is taken. */
  insertFurtherKey(db: DbOrTx, key: string, holder: KeyHolder): Promise<boolean>
  /** Who holds these keys; the free ones are missing. */
  findHolders(db: DbOrTx, keys: readonly string[]): Promise<KeyHolder[]>
  findEvent(db: DbOrTx, holder: KeyHolder): Promise<SaleEvent | undefined>
  /** The click's sales and bonuses on the site, reversed ones too. */
  findSalesOfClick(
    db: DbOrTx,
    click: { siteId: number; agentId: number; clickId: string },
  ): Promise<SaleEvent[]>
}

/** A row that is inserted together with an event, or not at all. */
export type ExtraRow = {
  [Table in keyof DB]: { table: Table; row: Insertable<DB[Table]> }
}[keyof DB]

/** A key and what goes with it. */
export type NewKey = {
  key: string
  /** Null for a reversal. */
  reported: CountedEvent | null
  /** A second key that must be free too, of those that do not say what was reported. */
  former?: string | undefined
}

/** The event that was first under a key. */
export type KeyHolder = {
  saleKey: string
  /** What the merchant reported; null for a reversal, and where the key does not say. */
  reported: CountedEvent | null
  eventId: string
  agentId: number
  typeId: number
  clickId: string
}

/** Another transaction was faster. With the SQLSTATE of a serialization failure, `inTransaction` tries again. */
export class LostRace extends Error {
  override name = 'LostRace'
  readonly code = '40001'
}
