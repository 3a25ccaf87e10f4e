import type { TierLine } from '@tallyroom/contract/pay/statements/statement'
import { tierOf, tierPay } from '@tallyroom/domain/avp'
import { addDays, type Day, dayOf } from '@tallyroom/domain/new-york'
import { type Currency, type PayeeKind, type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { findSchedulesOf, type StoredSchedule } from '../../catalogue/index.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import type { Booking, Whose } from './book-events.queries.ts'
import type { Calendar } from '../terms/calendar.ts'
import {
  type DueWeeks,
  findOutsideCounts,
  findTierPayments,
  findWeekCounts,
  type TierPayment,
  type WeekCount,
} from './tiers.queries.ts'

/** A line, and the payee whose statement it goes on. */
export type DueTierLine = { payee: PayeeKey; line: TierLine }

/** Earlier periods as if they were closed, in their order. */
export type Pretended = {
  bookings: readonly Booking[]
  tiers: readonly DueTierLine[]
}

type Closing = {
  calendar: Calendar
  period: PayPeriod
  periodId: number
  payeeKind: PayeeKind
  booked: readonly Booking[]
  currencyOf: (payee: PayeeKey) => Currency
  /** Only these agents'; everybody's without. */
  agents: Pick<Whose, 'agentIds'>
  pretended: Pretended
}

/**
 * What tiers pay in a period: the weeks whose Sunday falls in it, and corrections of earlier weeks that got late
 * bookings. An agent's whole week decides the tier. Each office has its own line; corrections go to the payee of the
 * first line.
 */
export async function findTierLines(db: DbOrTx, closing: Closing): Promise<DueTierLine[]> {
  const { calendar, period, periodId, payeeKind, booked, currencyOf, agents, pretended } = closing
  const due = dueWeeksOf(closing)
  const pays = (week: Day) => settingsOn(calendar.settings, week).avp !== 'information'
  const isDue = dueTest(due)
  const isPaidNow = ({ week, agentId }: { week: Day; agentId: number }) =>
    isDue(week, agentId) && pays(week)

  const counts = new Map<string, WeekCount>()
  for (const count of await findWeekCounts(db, due, periodId, agents)) add(counts, count)
  for (const booking of [...pretended.bookings, ...booked]) {
    if (booking.avpWeek !== null) add(counts, countOf(booking, booking.avpWeek))
  }
  const outside = await findOutside(db, due, calendar.state.startedAt, agents)
  const weekSales = new Map<string, number>()
  for (const { agentId, week, sales } of [...counts.values(), ...outside]) {
    const key = `${week} ${agentId}`
    weekSales.set(key, (weekSales.get(key) ?? 0) + sales)
  }
  const paid = Map.groupBy<string, PaidTier>(
    [...(await findTierPayments(db, due, agents)), ...pretended.tiers.map(asPaid)],
    keyOf,
  )
  const schedules = await findSchedulesOf(db, {
    start: due.late.reduce((first, { week }) => (week < first ? week : first), due.firstMonday),
    end: period.end,
  })

  return [...counts.values()].filter(isPaidNow).flatMap((count) => {
    const before = paid.get(keyOf(count)) ?? []
    const last = before.at(-1)
    const payee: PayeeKey = last
      ? { kind: last.payeeKind, id: last.payeeId }
      : { kind: payeeKind, id: payeeKind === 'office' ? count.officeId : count.agentId }
    const sales = weekSales.get(`${count.week} ${count.agentId}`) ?? 0
    const currency = before[0]?.currency ?? currencyOf(payee)
    const line = lineOf(count, sales, currency, before, schedules)
    return line ? [{ payee, line }] : []
  })
}

type PaidTier = Pick<
  TierPayment,
  | 'agentId'
  | 'officeId'
  | 'week'
  | 'sales'
  | 'paidSales'
  | 'tier'
  | 'centavos'
  | 'cents'
  | 'currency'
  | 'payeeKind'
  | 'payeeId'
>

const asPaid = ({ payee, line }: DueTierLine): PaidTier => ({
  ...line,
  payeeKind: payee.kind,
  payeeId: payee.id,
})

/** Undefined if there was and is nothing to pay, or nothing has changed. */
function lineOf(
  { agentId, agentName, officeId, officeName, week, paidSales }: WeekCount,
  sales: number,
  currency: Currency,
  before: readonly PaidTier[],
  schedules: readonly StoredSchedule[],
): TierLine | undefined {
  const schedule = schedules.findLast(({ validFrom }) => validFrom <= week)
  const tier = schedule && tierOf(sales, schedule.tiers)
  const rateCentavos = tier?.payoutCentavos ?? 0
  const rateCents = tier?.payoutCents ?? 0
  const pay = tierPay(paidSales, tier)
  const last = before.at(-1)
  const line: TierLine = {
    agentId,
    agentName,
    officeId,
    officeName,
    week,
    sales,
    paidSales,
    tier: tier?.index ?? 0,
    rateCentavos,
    rateCents,
    before: last ? beforeOf(last) : null,
    centavos: pay.centavos - sum(before, 'centavos'),
    cents: pay.cents - sum(before, 'cents'),
    currency,
  }
  const isSame =
    line.centavos === 0 &&
    line.cents === 0 &&
    (last
      ? last.sales === sales && last.paidSales === paidSales && last.tier === line.tier
      : paidSales === 0)
  return isSame ? undefined : line
}

export const beforeOf = ({
  sales,
  paidSales,
  tier,
}: Pick<TierPayment, 'sales' | 'paidSales' | 'tier'>): TierLine['before'] => ({
  sales,
  paidSales,
  tier,
})

const sum = (payments: readonly PaidTier[], currency: 'centavos' | 'cents') =>
  payments.reduce((total, payment) => total + payment[currency], 0)

function dueWeeksOf({ period, booked }: Closing): DueWeeks {
  // The first and the last week whose Sunday falls in the period.
  const firstMonday = periodOf(period.start, 'week').start
  const week = periodOf(period.end, 'week')
  const lastMonday = week.end === period.end ? week.start : addDays(week.start, -7)
  const late = booked.flatMap(({ avpWeek, agentId }) =>
    avpWeek !== null && avpWeek < firstMonday ? [{ week: avpWeek, agentId }] : [],
  )
  const distinct = new Map(late.map((one) => [`${one.week} ${one.agentId}`, one]))
  return { firstMonday, lastMonday, late: [...distinct.values()] }
}

function dueTest({ firstMonday, lastMonday, late }: DueWeeks) {
  const keys = new Set(late.map(({ week, agentId }) => `${week} ${agentId}`))
  return (week: Day, agentId: number) =>
    (week >= firstMonday && week <= lastMonday) || keys.has(`${week} ${agentId}`)
}

/** Only weeks that began before pay was switched on have sales settled outside Tallyroom. */
const findOutside = async (
  db: DbOrTx,
  due: DueWeeks,
  startedAt: Date,
  agents: Pick<Whose, 'agentIds'>,
) => {
  const first = due.late.reduce((day, { week }) => (week < day ? week : day), due.firstMonday)
  // A merchant's clock may date a sale a few minutes after it was recorded.
  return first <= addDays(dayOf(startedAt), 1) ? findOutsideCounts(db, due, startedAt, agents) : []
}

function add(counts: Map<string, WeekCount>, count: WeekCount): void {
  const key = keyOf(count)
  const present = counts.get(key)
  counts.set(
    key,
    present
      ? {
          ...count,
          sales: present.sales + count.sales,
          paidSales: present.paidSales + count.paidSales,
        }
      : count,
  )
}

const countOf = (booking: Booking, week: Day): WeekCount => ({
  agentId: booking.agentId,
  officeId: booking.officeId,
  week,
  sales: booking.quantity,
  paidSales: booking.settledOutside ? 0 : booking.quantity,
  agentName: booking.agentName,
  officeName: booking.officeName,
})

const keyOf = ({ week, agentId, officeId }: { week: Day; agentId: number; officeId: number }) =>
  `${week} ${agentId} ${officeId}`
