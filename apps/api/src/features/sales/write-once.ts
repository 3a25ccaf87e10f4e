import type { EventType } from '@tallyroom/domain/event-types'
import type { DbOrTx } from '../../db/database.ts'
import { type KeyHolder, type Ledger, LostRace, type NewKey } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'
import type { RecordOptions, SaleOutcome, SaleReport } from './report.ts'
import { saleKeysOf } from './sale-keys.ts'
import { findReported } from './sales.queries.ts'

type Recorded = Extract<SaleOutcome, { outcome: 'recorded' }>

type ToWrite = Pick<RecordOptions, 'alsoInsert'> & {
  /** The link type of what is sold. */
  typeId: number
  /**
   * The event; of an order's sale and approval, `otherHalf` is what the one that came first was recorded as.
   * `notice` is for staff.
   */
  make: (otherHalf?: EventType) => { event: SaleEvent; notice: string | undefined }
}

/**
 * Writes a report's event, unless the same report was written before. The key decides who is first, also
 * between two that come at the same moment.
 *
 * @throws LostRace
 */
export async function writeOnce(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  { typeId, make, alsoInsert }: ToWrite,
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
    const newKey = { ...key, reported: report.event }
    const isFirst = await ledger.insertOnce(db, newKey, event, alsoInsert?.(recorded) ?? [])
    return isFirst ? recorded : undefined
  }

  const { first, second, former } = keysOf(report)
  let recorded = await write({ key: first, former })
  for (let tries = 0; !recorded; tries++) {
    const { same, other } = await findTaken(db, ledger, report)
    if (same) return outcomeOfRepeat(report, typeId, same)
    if (tries === MOST_TRIES) throw new LostRace('keys that were taken a moment ago are free again')
    // With neither of them, what had the former key is of another word.
    recorded = await (other && second !== undefined
      ? write({ key: second }, other.event_type)
      : write({ key: first }))
  }
  return recorded
}

const MOST_TRIES = 3

/** What a report is answered that was recorded before; undefined for a new one. */
export async function findRepeated(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  typeId: number,
): Promise<SaleOutcome | undefined> {
  const { same } = await findTaken(db, ledger, report)
  return same && outcomeOfRepeat(report, typeId, same)
}

/** Who has the keys of a report: the same report, or else its order's other half. */
async function findTaken(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
): Promise<{ same?: KeyHolder | undefined; other?: SaleEvent | undefined }> {
  const { first, second, former } = keysOf(report)
  const keys = [first, second, former].filter((key) => key !== undefined)
  const holders = await ledger.findHolders(db, keys)
  // A bonus or paid click has its key to itself.
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
        reason: 'An event with this transaction id was recorded before, for another click or type.',
      }

const whyDuplicate = ({ transactionId }: SaleReport) =>
  transactionId === undefined
    ? 'It was recorded before, or it is a second order of its click: only an order number can tell.'
    : 'It was recorded before.'

const keysOf = (report: SaleReport) =>
  saleKeysOf({ ...report, clickId: report.click.id }, report.event)
