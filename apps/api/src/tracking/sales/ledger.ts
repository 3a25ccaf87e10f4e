import type { CountedEvent } from '@tallyroom/domain/event-types'
import type { NoticeKind } from '@tallyroom/domain/partner-postback'
import type { Insertable } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import type { Rates } from '../../catalogue/index.ts'
import type { SaleEvent } from './price-event.ts'
import type { ReportedClick } from './report.ts'

/** Where events are written and looked up. That of tests follows the same rules. */
export type Ledger = {
  /**
   * The origin of a sale by its click's row, if that exists, or if none is stored of such an id, by what else is known of it; and the
   * rates for its office then, or for no office.
   */
  findOrigin(
    db: DbOrTx,
    click: ReportedClick,
    at: Date,
  ): Promise<{ origin: Origin | undefined; rates: Rates | undefined }>
  /**
   * Writes an event, its totals and `alsoInsert` atomically. Writes nothing unless it returns
   * `written`.
   */
  insertOnce(db: DbOrTx, key: NewKey, event: SaleEvent, alsoInsert: ExtraRow[]): Promise<Written>
  /** Adds another key to an existing event. False if it is taken. */
  insertFurtherKey(tx: Tx, key: string, holder: KeyHolder): Promise<boolean>
  /** The holders of these keys; free keys are missing. */
  findHolders(db: DbOrTx, keys: readonly string[]): Promise<KeyHolder[]>
  findEvent(db: DbOrTx, holder: KeyHolder): Promise<SaleEvent | undefined>
  /** The click's sales and bonuses on the site, their reversals, and those counted again. */
  findEventsOfClick(
    db: DbOrTx,
    click: { siteId: number; agentId: number; clickId: string },
  ): Promise<SaleEvent[]>
  /** A sale's amounts after backdated rates and refunded parts. Its rates are locked until the transaction ends. */
  findRepriced(tx: Tx, sale: SaleEvent): Promise<Repriced>
  /** Waits for others that settle this order, and keeps new ones out until the transaction ends. */
  lockOrder(tx: Tx, lock: string): Promise<void>
}

/** The attribution of a sale from the click's row, or its month's sums, which have the office of that time. */
export type Origin = {
  officeId: number | undefined
  fraud: boolean
  referrerId: number | null
}

/** Where real sales are: on one server, or on the machines of a cluster. */
export type SaleLedger = Ledger & {
  /**
   * Waits for running writes of the link type's sales and for other changes of its rates. Until the
   * transaction ends, no sale is written, and those priced in the meantime are priced again. Call it before anything else
   * is written.
   */
  stopSales(tx: Tx, typeId: number): Promise<void>
}

/** A sale at present rates. */
export type Repriced = {
  /** Without the parts that were taken back. */
  now: SaleEvent
  /** The parts taken back, in millionths, and their number. */
  takenPpm: number
  parts: number
}

/** `taken`: another event has the key, or a key that had to be free, or the order is being settled. `backdated`: rates were backdated after the event was priced. */
export type Written = 'written' | 'taken' | 'backdated'

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
  /** Keys that must be free, too: those of the reports that took the order back. */
  blockers?: readonly string[]
  /** Taken together with other new events of the order, but not while somebody settles it. */
  orderLock?: string
  /** When the sale was made that this event reverses or restores. */
  soldAt?: Date
  /** What partners hear of it; undefined for what does not count. */
  tells: NoticeKind | undefined
  /** How often rates of the link type had been backdated when the event was priced (`Rates.backdated`). */
  backdated?: number | undefined
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

/** Rates were backdated while a sale was being priced: price it again. */
export class Backdated extends Error {
  override name = 'Backdated'
  readonly code = '40001'
}

/** Another transaction was faster. It has the SQLSTATE of a serialization failure, so `inTransaction` retries. */
export class LostRace extends Error {
  override name = 'LostRace'
  readonly code = '40001'
}
