import type { EventType } from '@tallyroom/domain/event-types'
import type { DbOrTx } from '../../db/database.ts'
import { Backdated, type KeyHolder, type Ledger, LostRace, type NewKey } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'
import type { RecordOptions, SaleOutcome, SaleReport } from './report.ts'
import { saleKeysOf } from './sale-keys.ts'
import { findReported } from './sales.queries.ts'

type Recorded = Extract<SaleOutcome, { outcome: 'recorded' }>

type ToWrite = Pick<RecordOptions, 'alsoInsert'> & {
  /** The link type that was sold. */
  typeId: number
  /** `Rates.backdated` of the rates that price it. */
  backdated: number
  /**
   * Builds the event. Of an order's sale and approval, `otherHalf` is the event type of the first one. `notice`
   * is for staff.
   */
  make: (otherHalf?: EventType) => { event: SaleEvent; notice: string | undefined }
}

/**
 * Writes a report's event unless it was already written. The key decides between concurrent reports.
 *
 * @throws LostRace
 * @throws Backdated if it has to be priced again.
 */
export async function writeOnce(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  { typeId, backdated, make, alsoInsert }: ToWrite,
): Promise<SaleOutcome> {
  async function write(key: Omit<NewKey, 'reported'>, otherHalf?: EventType) {
    const { event, notice } = make(otherHalf)
    const recorded: Recorded = {
      outcome: 'recorded',
      eventId: event.id,
      typeId: event.type_id,
      agentId: event.agent_id,
      notice,
    }
    const newKey = { ...key, reported: report.event, backdated }
    const written = await ledger.insertOnce(db, newKey, event, alsoInsert?.(recorded) ?? [])
    if (written === 'backdated') throw new Backdated('its rates were backdated meanwhile')
    return written === 'written' ? recorded : undefined
  }

  const { first, second, former } = keysOf(report)
  let recorded = await write({ key: first, former })
  for (let tries = 0; !recorded; tries++) {
    const { same, other } = await findTaken(db, ledger, report)
    if (same) return outcomeOfRepeat(report, typeId, same)
    if (tries === MOST_TRIES) throw new LostRace('keys that were taken are free again')
    // If neither exists, the event under the former key was reported with another word.
    recorded = await (other && second !== undefined
      ? write({ key: second }, other.event_type)
      : write({ key: first }))
  }
  return recorded
}

const MOST_TRIES = 3

/** The answer to a report that is already recorded; undefined for a new one. */
export async function findRepeated(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  typeId: number,
): Promise<SaleOutcome | undefined> {
  const { same } = await findTaken(db, ledger, report)
  return same && outcomeOfRepeat(report, typeId, same)
}

/** The holder of a report's keys: the same report, or the other half of its order. */
async function findTaken(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
): Promise<{ same?: KeyHolder | undefined; other?: SaleEvent | undefined }> {
  const { first, second, former } = keysOf(report)
  const keys = [first, second, former].filter((key) => key !== undefined)
  const holders = await ledger.findHolders(db, keys)
  // A bonus or paid click does not share its key.
  const same = holders.find(({ reported }) => second === undefined || reported === report.event)
  if (same) return { same }

  let other: SaleEvent | undefined
  for (const holder of holders) {
    const event = await ledger.findEvent(db, holder)
    if (!event) continue
    const reported = holder.reported ?? (await findReported(db, [event])).get(event.id)
    if (reported === report.event) return { same: holder }
    if (holder.saleKey === first) other = event
  }
  return { other }
}

const outcomeOfRepeat = (report: SaleReport, typeId: number, first: KeyHolder): SaleOutcome =>
  first.clickId === report.click.id && first.typeId === typeId
    ? { outcome: 'duplicate', eventId: first.eventId, reason: whyDuplicate(report) }
    : {
        outcome: 'conflict',
        reason:
          'An event with this transaction id is already recorded for another click or link type.',
      }

const whyDuplicate = ({ transactionId }: SaleReport) =>
  transactionId === undefined
    ? 'Already recorded, or a second order of the same click: only an order number can distinguish them.'
    : 'Already recorded.'

const keysOf = (report: SaleReport) =>
  saleKeysOf({ ...report, clickId: report.click.id }, report.event)
