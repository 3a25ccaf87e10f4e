import type { DbOrTx, Tx } from '../../db/database.ts'
import { chainsOf, counts } from './chains.ts'
import type { Ledger } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'
import { hold, type SaleReport } from './report.ts'
import { clickPlaces, clickTakenBackKey, everySaleKey, MOST_BESIDE } from './sale-keys.ts'
import { writeReversal } from './write-reversal.ts'

export const TAKEN_FROM_OTHER = 'What was counted of the order for another click is taken back.'

/** A paid click has no reversal. */
export const PAID_CLICK = hold(
  'other-click',
  'A paid click can’t be taken back. Keep the first, or count both.',
)

/** A click and the agent who has it. */
type OrderClick = { agentId: number; clickId: string }

/** The clicks that an order is counted for, or was. */
async function findClicksOf(
  db: DbOrTx,
  ledger: Ledger,
  name: Parameters<typeof everySaleKey>[0],
): Promise<OrderClick[]> {
  const holders = await ledger.findHolders(db, everySaleKey(name))
  return distinctClicks(holders)
}

export const distinctClicks = (holders: readonly OrderClick[]): OrderClick[] => [
  ...new Map(
    holders.map(({ agentId, clickId }) => [`${agentId} ${clickId}`, { agentId, clickId }]),
  ).values(),
]

/** Takes back what counts of a report's order for other clicks, with reversals of the same postback: one of each click. */
export async function takeFromOthers(
  tx: Tx,
  ledger: Ledger,
  report: SaleReport,
): Promise<{ agentId: number; eventId: string }[]> {
  const { siteId, transactionId, click, occurredAt, recordedAt, postbackId } = report
  const name = { siteId, transactionId, clickId: click.id }
  const takenBack: { agentId: number; eventId: string }[] = []
  for (const { agentId, clickId } of await findClicksOf(tx, ledger, name)) {
    if (clickId === click.id) continue
    const events = await ledger.findEventsOfClick(tx, { siteId, agentId, clickId })
    const live = chainsOf(events.filter((event) => event.transaction_id === transactionId)).filter(
      counts,
    )
    const eventIds: string[] = []
    for (const chain of live) {
      const reversal = { reversal: 'void', occurredAt, recordedAt, postbackId } as const
      eventIds.push(await writeReversal(tx, ledger, { ...reversal, amount: undefined }, chain))
    }
    const [eventId] = eventIds
    const [first] = live
    if (eventId === undefined || !first) continue
    takenBack.push({ agentId, eventId })
    await keepTakenBack(tx, ledger, { ...name, clickId }, first.counted)
  }
  return takenBack
}

/** Remembers that an order was taken back for one of its clicks: what else comes of it there is looked at. */
export async function keepTakenBack(
  tx: Tx,
  ledger: Ledger,
  name: { siteId: number; transactionId: string | undefined; clickId: string },
  { id: eventId, agent_id: agentId, type_id: typeId }: SaleEvent,
): Promise<void> {
  const saleKey = clickTakenBackKey(name)
  const holder = { saleKey, eventId, agentId, typeId, clickId: name.clickId, reported: null }
  await ledger.insertFurtherKey(tx, saleKey, holder)
}

/**
 * The key by which an order leads to a click that it is counted for beside its first. Undefined if the click has one,
 * null if too many other clicks have one.
 */
export async function placeForClick(
  tx: Tx,
  ledger: Ledger,
  { siteId, transactionId, click }: SaleReport,
): Promise<string | null | undefined> {
  const places = clickPlaces({ siteId, transactionId, clickId: click.id })
  const taken = await ledger.findHolders(tx, places)
  if (taken.some(({ clickId }) => clickId === click.id)) return undefined
  return places.find((place) => taken.every(({ saleKey }) => saleKey !== place)) ?? null
}

export const TOO_MANY_CLICKS = hold(
  'other-click',
  `An order can be counted for ${MOST_BESIDE + 1} clicks at most. Keep the first.`,
)

/** Whether a sale was taken back because staff gave its order to another click. */
export async function isGivenAway(db: DbOrTx, { postback_id: id }: SaleEvent): Promise<boolean> {
  if (id === null) return false
  const settlement = await db
    .selectFrom('postback_settlements')
    .select('act')
    .where('postback_id', '=', id)
    .executeTakeFirst()
  return settlement?.act === 'take-this'
}
