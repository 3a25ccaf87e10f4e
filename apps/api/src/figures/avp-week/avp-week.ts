import type {
  AvpStanding,
  avpWeekEndpoints,
  CloseAgents,
} from '@tallyroom/contract/figures/avp-week'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { AVP_OPEN_END, standingOf } from '@tallyroom/domain/avp'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { settingsOn } from '@tallyroom/domain/pay'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid, notFound } from '../../errors.ts'
import { findSchedulesOf, type StoredSchedule, findVisibleAmounts } from '../../catalogue/index.ts'
import { findAvpRules } from '../../pay/index.ts'
import {
  findSeenAgent,
  findSellingAgents,
  findWeeksOfAgent,
  type SellingAgent,
  type WeekSales,
} from './avp-week.queries.ts'

const weeksBefore = 8

/** The viewer, a snapshot of folded totals, and the day. */
export type AvpReader = { tx: Tx; viewer: Viewer; today: Day }

/**
 * Where an agent's week stands among the tiers, computed by the rule that also pays it
 * (`domain/avp`).
 * @throws NOT_FOUND for an agent whom the viewer cannot see.
 */
export async function readStanding(
  { tx, viewer, today }: AvpReader,
  agentId: number,
): Promise<AvpStanding> {
  const isSelf = viewer.agentId === agentId
  const username = isSelf ? viewer.username : await findSeenAgent(tx, sightOf(viewer), agentId)
  if (username === undefined) throw notFound('agent')
  const week = weekOfDay(today)
  const range = { start: addDays(week.start, -7 * weeksBefore), end: week.end }
  const sees = await findVisibleAmounts(tx, viewer)
  const schedules = await findSchedulesOf(tx, range)
  const sold = new Map(
    (await findWeeksOfAgent(tx, scopeOf(viewer), agentId, range)).map((one) => [one.week, one]),
  )
  const standing = (monday: Day) =>
    presentStanding(sold.get(monday) ?? NOTHING_SOLD, tiersOn(schedules, monday), sees.payout)
  const { next, ...now } = standing(week.start)
  return {
    agentId,
    username,
    week,
    tiers: presentTiers(tiersOn(schedules, week.start), sees.payout),
    ...now,
    next,
    before: Array.from({ length: weeksBefore }, (_, index) => {
      const start = addDays(range.start, 7 * index)
      const { next: _past, ...then } = standing(start)
      return { start, ...then }
    }),
    paidBy: await findRule(tx, week.start),
  }
}

/** Agents who sold this week and have a next tier, in the requested order. */
export async function listCloseAgents(
  { tx, viewer, today }: AvpReader,
  { companyId, siteId, ...list }: RequestOf<typeof avpWeekEndpoints.avpCloseAgents>['body'],
): Promise<CloseAgents> {
  const week = weekOfDay(today)
  const sees = await findVisibleAmounts(tx, viewer)
  if (list.sortField === 'adds' && !sees.payout) throw invalid({ sortField: ['is not shown'] })
  const [schedule] = await findSchedulesOf(tx, { start: week.start, end: week.start })
  const tiers = schedule?.tiers ?? []
  const sellers = await findSellingAgents(tx, sightOf(viewer), {
    week,
    ...(companyId !== undefined && { officeId: companyId }),
    ...(siteId !== undefined && { siteId }),
  })
  const close = sellers.flatMap((agent) => {
    const { tier, next } = standingOf(agent, tiers)
    return tier && next ? [{ agent, next }] : []
  })
  const sorted = close.toSorted((one, other) => {
    const order = orders[list.sortField]
    const first = order(one, other) * (list.sortAsc ? 1 : -1)
    return first || orders.missing(one, other) || orders.username(one, other)
  })
  const from = (list.page - 1) * list.pageSize
  return {
    week,
    tiers: presentTiers(tiers, sees.payout),
    total: sorted.length,
    items: sorted.slice(from, from + list.pageSize).flatMap(({ agent }) => {
      const { tier, next, ...standing } = presentStanding(agent, tiers, sees.payout)
      const { agentId, username, officeId, officeName } = agent
      const whose = { agentId, username, companyId: officeId, officeName }
      return tier !== null && next ? [{ ...whose, ...standing, tier, next }] : []
    }),
  }
}

type Close = { agent: SellingAgent; next: NonNullable<ReturnType<typeof standingOf>['next']> }
type Order = (one: Close, other: Close) => number

const orders: Record<
  RequestOf<typeof avpWeekEndpoints.avpCloseAgents>['body']['sortField'],
  Order
> = {
  // Ties by what the next tier adds, most first.
  missing: (one, other) =>
    one.next.missing - other.next.missing || other.next.adds.centavos - one.next.adds.centavos,
  sales: (one, other) => one.agent.weekSales - other.agent.weekSales,
  adds: (one, other) => one.next.adds.centavos - other.next.adds.centavos,
  username: (one, other) => compareText(one.agent.username, other.agent.username),
  officeName: (one, other) => compareText(one.agent.officeName, other.agent.officeName),
}

const compareText = (one: string, other: string) =>
  one.toLowerCase() < other.toLowerCase() ? -1 : Number(one.toLowerCase() > other.toLowerCase())

const NOTHING_SOLD: WeekSales = { weekSales: 0, paidSales: 0 }

const weekOfDay = (day: Day): DateRange => {
  const { start, end } = periodOf(day, 'week')
  return { start, end }
}

const tiersOn = (schedules: readonly StoredSchedule[], monday: Day) =>
  schedules.findLast(({ validFrom }) => validFrom <= monday)?.tiers ?? []

type Tiers = StoredSchedule['tiers']

function presentStanding(sold: WeekSales, tiers: Tiers, seesPay: boolean) {
  const { tier, pay, next } = standingOf(sold, tiers)
  return {
    sales: sold.weekSales,
    tier: tier?.index ?? null,
    ...(seesPay && { pay: presentPay(pay) }),
    next: next
      ? {
          tier: next.tier.index,
          missing: next.missing,
          ...(seesPay && { adds: presentPay(next.adds) }),
        }
      : null,
  }
}

const presentTiers = (tiers: Tiers, seesPay: boolean): AvpStanding['tiers'] =>
  tiers.map(({ index, from, to, payoutCentavos, payoutCents }) => ({
    index,
    from,
    to: Math.min(to, AVP_OPEN_END),
    ...(seesPay && { rate: presentPay({ centavos: payoutCentavos, cents: payoutCents }) }),
  }))

const presentPay = ({ centavos, cents }: { centavos: number; cents: number }) => ({
  php: fromMinorUnits(centavos),
  dollars: fromMinorUnits(cents),
})

async function findRule(tx: Tx, monday: Day): Promise<AvpStanding['paidBy']> {
  const [first, ...more] = await findAvpRules(tx)
  if (!first || monday < periodOf(first.fromDay, 'week').start) return null
  return settingsOn([first, ...more], monday).avp
}
