import { type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { type Booking, findUnbooked, type Unbooked, type Whose } from './book-events.queries.ts'
import { type Calendar, payeeKindOf } from './calendar.ts'
import { findUnbookedAdjustments, type UnbookedAdjustment } from './closing.queries.ts'
import { findParts, type PayeeParts } from './compute-closing.ts'
import type { Pretended } from './tiers.ts'
import { findAgentsOfWeeks } from './tiers.queries.ts'

/** An open period, and what its statements would be made of. */
export type OpenParts = { period: PayPeriod; parts: PayeeParts[] }

type ToFind = {
  calendar: Calendar
  /** Open periods in their order, from the next one to close. */
  periods: readonly PayPeriod[]
  now: Date
  whose: Whose
}

/**
 * What the statements of open periods would be made of if the periods were closed now, one after another. Writes nothing.
 * The first one's are those of its preview.
 */
export async function findOpenParts(
  db: DbOrTx,
  { calendar, periods, now, whose }: ToFind,
): Promise<OpenParts[]> {
  const { events, agents } = await findEvents(db, { calendar, periods, now, whose })
  const adjustments = (await findUnbookedAdjustments(db)).filter(isAdjustmentOf(whose))
  const pretended: Pretended & { bookings: Booking[] } = { bookings: [], tiers: [] }
  const found: OpenParts[] = []
  const earlier = new Map<string, Booking>()
  for (const [index, period] of periods.entries()) {
    const isPast = index > 0
    const after = isPast ? periods[index - 1]?.end : undefined
    const booked = events
      .filter(({ day }) => day <= period.end && (after === undefined || day > after))
      .map((event) => bookedIn(event, period, calendar, earlier))
    const parts = await findParts(db, {
      calendar,
      period,
      periodId: NO_PERIOD,
      booked,
      adjustments: isPast ? [] : adjustments,
      agents,
      pretended,
    })
    found.push({ period, parts: narrowed(parts, whose) })
    for (const booking of booked) earlier.set(booking.eventId, booking)
    pretended.bookings = [...pretended.bookings, ...booked]
    pretended.tiers = [
      ...pretended.tiers,
      ...parts.flatMap(({ payee, tiers }) => tiers.map((line) => ({ payee, line }))),
    ]
  }
  return found
}

/** No period has this id. */
export const NO_PERIOD = -1

/** Whether an adjustment is theirs: of the agent or the office itself, never of somebody whose lines they share. */
export const isAdjustmentOf =
  ({ agentIds, officeId }: Whose) =>
  ({ kind, payeeId }: Pick<UnbookedAdjustment, 'kind' | 'payeeId'>): boolean =>
    agentIds === undefined && officeId === undefined
      ? true
      : kind === 'agent'
        ? officeId === undefined && agentIds?.includes(payeeId) === true
        : agentIds === undefined && officeId === payeeId

/**
 * The events that are not booked. For an office, also what its agents sold for others in AVP weeks, because an agent's
 * whole week decides the tier.
 */
async function findEvents(
  db: DbOrTx,
  { calendar, periods, now, whose }: ToFind,
): Promise<{ events: Unbooked[]; agents: Pick<Whose, 'agentIds'> }> {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return { events: [], agents: {} }
  const toBook = {
    periodId: NO_PERIOD,
    lastDay: last.end,
    payeeKind: payeeKindOf(settingsOn(calendar.settings, first.start).payees),
    startedAt: calendar.state.startedAt,
    now,
    settings: calendar.settings,
  } as const
  const events = await findUnbooked(db, toBook, whose)
  if (whose.officeId === undefined) {
    return { events, agents: whose.agentIds ? { agentIds: whose.agentIds } : {} }
  }
  const weeks = { start: periodOf(first.start, 'week').start, end: last.end }
  const sellers = [
    ...events.map(({ agentId }) => agentId),
    ...(await findAgentsOfWeeks(db, weeks, whose.officeId)),
  ]
  const agentIds = [...new Set(sellers)].filter((id) => whose.agentIds?.includes(id) ?? true)
  const elsewhere = (await findUnbooked(db, toBook, { agentIds })).filter(
    ({ officeId, avpWeek }) => officeId !== whose.officeId && avpWeek !== null,
  )
  return { events: [...events, ...elsewhere], agents: { agentIds } }
}

/** As closing would book it, with its period's payees, or like the sale that it is about. */
function bookedIn(
  event: Unbooked,
  { start }: PayPeriod,
  { settings }: Calendar,
  earlier: ReadonlyMap<string, Booking>,
): Booking {
  if (event.inherits) return event
  const sale = event.aboutSale === null ? undefined : earlier.get(event.aboutSale)
  if (sale) return { ...event, payeeKind: sale.payeeKind, payeeId: sale.payeeId }
  const payeeKind = payeeKindOf(settingsOn(settings, start).payees)
  return { ...event, payeeKind, payeeId: payeeKind === 'office' ? event.officeId : event.agentId }
}

/** Without what the agents sold for other offices. */
function narrowed(parts: PayeeParts[], { officeId }: Whose): PayeeParts[] {
  if (officeId === undefined) return parts
  const isHere = (line: { officeId: number }) => line.officeId === officeId
  return parts
    .map((one) => ({
      ...one,
      bookings: one.bookings.filter(isHere),
      tiers: one.tiers.filter(isHere),
    }))
    .filter(
      ({ bookings, tiers, adjustments }) => bookings.length + tiers.length + adjustments.length > 0,
    )
}
