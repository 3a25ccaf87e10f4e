import type { TierLine } from '@tallyroom/contract/pay/statements/statement'
import type { Day } from '@tallyroom/domain/new-york'
import { type PayeeKind, type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import {
  type Booking,
  findUnbooked,
  type Unbooked,
  type Whose,
} from '../bookings/book-events.queries.ts'
import { type Calendar, payeeKindOf } from '../terms/calendar.ts'
import { findUnbookedAdjustments, type UnbookedAdjustment } from './closing.queries.ts'
import { findParts, type PayeeParts } from './compute-closing.ts'
import type { Pretended } from '../bookings/tiers.ts'
import { findAgentsOfWeeks } from '../bookings/tiers.queries.ts'

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
  const dayOf = new Map(events.map(({ eventId, day }) => [eventId, day]))
  /** A reversal that is dated before its sale waits for it. */
  const bookedOn = ({ day, aboutSale }: Unbooked): Day => {
    const soldOn = aboutSale === null ? undefined : dayOf.get(aboutSale)
    return soldOn !== undefined && soldOn > day ? soldOn : day
  }
  const earlier = new Map<string, Booking>()
  /** Who gets the line of a week. */
  const lines = new Map<string, PayeeKind>()
  for (const [index, period] of periods.entries()) {
    const isPast = index > 0
    const after = isPast ? periods[index - 1]?.end : undefined
    const booked = events
      .filter((event) => {
        const day = bookedOn(event)
        return day <= period.end && (after === undefined || day > after)
      })
      .map((event) => bookedIn(event, { period, calendar, earlier, lines }))
    const parts = await findParts(db, {
      calendar,
      period,
      periodId: NO_PERIOD,
      booked,
      adjustments: isPast ? [] : adjustments,
      agents,
      pretended,
    })
    for (const { payee, tiers } of parts) {
      for (const line of tiers) lines.set(weekText(line), lines.get(weekText(line)) ?? payee.kind)
    }
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

type Before = {
  period: PayPeriod
  calendar: Calendar
  earlier: ReadonlyMap<string, Booking>
  lines: ReadonlyMap<string, PayeeKind>
}

/** As closing would book it, with its period's payees, or like the sale that it is about, or its week. */
function bookedIn(event: Unbooked, { period, calendar, earlier, lines }: Before): Booking {
  const { avpWeek: week, settledOutside, agentId, officeId } = event
  const ofWeek =
    week === null || settledOutside ? undefined : lines.get(weekText({ agentId, officeId, week }))
  const ofSale = event.inherits
    ? event.payeeKind
    : event.aboutSale === null
      ? undefined
      : earlier.get(event.aboutSale)?.payeeKind
  const payeeKind =
    (event.paidBy === 'tier' ? ofWeek : undefined) ??
    ofSale ??
    ofWeek ??
    payeeKindOf(settingsOn(calendar.settings, period.start).payees)
  return { ...event, payeeKind, payeeId: payeeKind === 'office' ? officeId : agentId }
}

const weekText = ({ week, agentId, officeId }: Pick<TierLine, 'week' | 'agentId' | 'officeId'>) =>
  `${week} ${agentId} ${officeId}`

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
