import { randomUUID } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import type { Home, HomePeriod, HomeSums } from '@tallyroom/contract/desk/home'
import { saleLogsSearchSchema } from '@tallyroom/contract/desk/sale-logs'
import { statsCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { explainRequestSchema } from '@tallyroom/contract/figures/explain'
import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { expect } from 'vitest'
import { viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { buildTwoOffices } from '../../../test/two-office-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { makeClickIds } from '../../tracking/clicks/click-id-signer.ts'
import { searchSaleLogs } from '../sale-logs/search-sale-logs.ts'
import { explain } from '../../figures/statistics/explain.ts'
import { statsReport } from '../../figures/statistics/report.ts'
import { makeHome } from './home.ts'

const database = await testDatabase()
const services = testServices(database)
const { db, clock } = services
const home = makeHome(services)
const clickIds = makeClickIds(services.secret, [])

const { offices, agents, types } = await buildTwoOffices(db)
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()

const staff = { officeId: undefined, agentId: undefined } as const
const viewers = {
  superadmin: viewer(undefined, ['EARNING_VISIBLE']),
  admin: viewer({ role: 'admin', ...staff }),
  office: viewer({ role: 'company', officeId: offices[1], agentId: undefined }),
  agent: viewer({ role: 'agent', officeId: offices[1], agentId: agents[1] }),
}

/**
 * Around both clock changes, ends of months, the 1st and the 16th; each with the time in New York, at which nothing happens.
 */
const moments = [
  ['2026-03-08', '14:10'],
  ['2026-03-15', '09:30'],
  ['2026-03-16', '00:05'],
  ['2026-02-28', '23:50'],
  ['2026-03-01', '12:01'],
  ['2026-03-31', '18:20'],
  ['2025-11-02', '08:00'],
  ['2025-11-16', '20:45'],
  ['2026-01-01', '11:00'],
] as const

const anyEvent = fc.record({
  daysAgo: fc.oneof(fc.constantFrom(0, 0, 7, 15, 16), fc.integer({ min: 0, max: 48 })),
  time: fc.constantFrom('00:00', '00:04', '08:15', '12:00', '23:59', 'just before', 'just after'),
  who: fc.constantFrom(
    [agents[0], offices[0]] as const,
    [agents[1], offices[1]] as const,
    [agents[2], offices[1]] as const,
    // Sold for the other office before the move.
    [agents[1], offices[0]] as const,
  ),
  type: fc.constantFrom(...types),
  quantity: fc.constantFrom(1, 1, 1, -1),
  event_type: fc.constantFrom(0, 0, 1, 2),
  payout: fc.integer({ min: 0, max: 90_000 }),
  earning: fc.integer({ min: 0, max: 9_000 }),
})
type AnyEvent = Parameters<Parameters<typeof anyEvent.map>[0]>[0]

property.prop([fc.array(anyEvent, { maxLength: 60 }), fc.constantFrom(...moments)], {
  numRuns: 12,
})(
  'a tile, its page, its explanation and the sale log give the same number, to everybody',
  async (made, [today, time]) => {
    const now = atNewYork(today, time)
    clock.set(now.toISOString())
    const events = made
      .map((event) => stored(event, today, time))
      .filter(({ occurred_at }) => occurred_at < now)
    await execute(database.connection, 'delete from sale_events')
    if (events.length > 0) await db.insertInto('sale_events').values(events).execute()
    await rebuildTotals(db)

    for (const who of Object.values(viewers)) {
      const shown = await home(who)
      for (const period of Object.values(shown.periods)) await expectProved(who, period)
      for (const name of ['halfMonth', 'lastHalfMonth'] as const)
        await expectComparedAlike(who, shown.periods[name])
      await expectCardsProved(who, shown)
      expect(comparedOf(shown)).toEqual(naivelyCompared(who, events, shown, time))
    }
  },
  600_000,
)

/** Requests the days of a period from every page that could disagree. */
async function expectProved(who: Viewer, { start, end, sums }: HomePeriod) {
  const criteria = statsCriteriaSchema.parse({ groupBy: 'date', start, end })
  const { overall } = await statsReport(services, who, 'sites', criteria)
  expect(sums).toEqual({
    sales: overall.sales,
    bonusSales: overall.bonusSales,
    uniques: overall.uniques,
    ...(overall.payout !== undefined && {
      payout: overall.payout,
      bonusPayout: overall.bonusPayout,
    }),
    ...(overall.earning !== undefined && {
      earning: overall.earning,
      bonusEarning: overall.bonusEarning,
    }),
  })
  for (const column of ['sales', 'bonusSales', 'payout', 'bonusPayout'] as const) {
    if (sums[column] === undefined) continue
    const request = explainRequestSchema.parse({ report: 'sites', column, start, end })
    const { figure, sum } = await explain(services, who, request)
    expect([column, figure, sum]).toEqual([column, sums[column], sums[column]])
  }
  const search = saleLogsSearchSchema.parse({ start, end, pageSize: 500 })
  const { items } = await searchSaleLogs({ db, clickIds }, who, search)
  const paid = items.items.reduce((total, { payout = 0 }) => total + Math.round(payout * 100), 0)
  expect(paid).toBe(Math.round(((sums.payout ?? 0) + (sums.bonusPayout ?? 0)) * 100))
}

/** Opens the counts of the cards below the tiles, as a user would. */
async function expectCardsProved(who: Viewer, shown: Home) {
  const { today, network, links } = shown
  const { best = [], fallen = [], compared } = shown.agents ?? {}
  const { start, end } = compared ?? { start: today, end: today }
  const counts = [
    ...(network?.sites ?? []).map(({ siteId, sums: { sales } }) => ({
      asked: { start: today, end: today, siteId },
      sales,
    })),
    ...[...best, ...fallen].map(({ agentId, sales }) => ({
      asked: { start, end, agentId },
      sales,
    })),
    ...(links ?? []).map(({ siteId, typeId, sales }) => ({
      asked: { start: addDays(today, -13), end: today, siteId, typeId },
      sales,
    })),
  ]
  for (const { asked, sales } of counts) {
    const request = explainRequestSchema.parse({ report: 'sites', column: 'sales', ...asked })
    const { figure, sum } = await explain(services, who, request)
    expect({ asked, figure, sum }).toEqual({ asked, figure: sales, sum: sales })
  }
}

/** Home compares a half-month with the same days, and the same figures, as the statistics page. */
async function expectComparedAlike(who: Viewer, { start, before }: HomePeriod) {
  const { end } = periodOf(start, 'beWeek')
  const criteria = { groupBy: 'date', start, end, compare: 'previous' } as const
  const { compared } = await statsReport(
    services,
    who,
    'sites',
    statsCriteriaSchema.parse(criteria),
  )
  expect(before && { start: before.start, end: before.end, ...moneyOf(before.sums) }).toEqual(
    compared && { start: compared.start, end: compared.end, ...moneyOf(compared.overall) },
  )
  expect(before?.sums.uniques).toBe(compared?.overall.uniques)
}

const comparedOf = ({ periods }: Home) =>
  Object.fromEntries(
    Object.entries(periods).map(([name, { before }]) => [
      name,
      before && { start: before.start, end: before.end, ...moneyOf(before.sums) },
    ]),
  )

const moneyOf = ({
  sales,
  bonusSales,
  payout = 0,
  bonusPayout = 0,
}: Pick<HomeSums, 'sales' | 'bonusSales' | 'payout' | 'bonusPayout'>) => ({
  sales,
  bonusSales,
  centavos: Math.round((payout + bonusPayout) * 100),
})

type Stored = ReturnType<typeof stored>

/** The same from the events, up to the time that New York's clocks show. */
function naivelyCompared(who: Viewer, events: Stored[], { today }: Home, time: string) {
  const own = events.filter(
    ({ office_id, agent_id }) =>
      (who.officeId === undefined || who.agentId !== undefined || office_id === who.officeId) &&
      (who.agentId === undefined || agent_id === who.agentId),
  )
  const sum = (start: Day, end: Day, until?: string) => {
    const meant = own.filter(({ occurred_at }) => {
      const wall = wallOf(occurred_at)
      const isWithin = wall.day >= start && wall.day <= end
      return isWithin && (until === undefined || wall.day < end || wall.time < until)
    })
    const count = (type: number) =>
      meant.reduce((n, event) => n + (event.event_type === type ? event.quantity : 0), 0)
    const centavos = meant
      .filter(({ event_type }) => event_type !== 2)
      .reduce((n, { payout_centavos }) => n + payout_centavos, 0)
    return { start, end, sales: count(0), bonusSales: count(1), centavos }
  }
  const weekAgo = addDays(today, -7)
  const [half, last, beforeLast] = halvesUntil(today)
  const elapsed = addDays(last.start, daysFrom(half.start, today))
  return {
    today: sum(weekAgo, weekAgo, time),
    halfMonth: sum(last.start, elapsed > last.end ? last.end : elapsed),
    lastHalfMonth: sum(beforeLast.start, beforeLast.end),
  }
}

/** The half-month of a day and the previous two, found day by day. */
function halvesUntil(today: Day) {
  const halves: { start: Day; end: Day }[] = []
  for (let day = today, end = today; halves.length < 3; day = addDays(day, -1)) {
    if (!['01', '16'].includes(day.slice(8))) continue
    halves.push({ start: day, end })
    end = addDays(day, -1)
  }
  return halves as [(typeof halves)[0], (typeof halves)[0], (typeof halves)[0]]
}

function daysFrom(start: Day, end: Day): number {
  let days = 0
  while (addDays(start, days) < end) days++
  return days
}

const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
})

function wallOf(instant: Date) {
  const [day = '', time = ''] = wallClock.format(instant).split(' ')
  return { day, time }
}

function stored(
  { daysAgo, time, who, type, quantity, payout, earning, ...event }: AnyEvent,
  today: Day,
  nowTime: string,
) {
  const [agent_id, office_id] = who
  const day = addDays(today, -daysAgo)
  const minutes = time === 'just before' ? -1 : time === 'just after' ? 1 : undefined
  const at =
    minutes === undefined
      ? atNewYork(day, time)
      : new Date(atNewYork(day, nowTime).getTime() + minutes * 60_000)
  const pays = event.event_type === 2 ? 0 : quantity
  return {
    ...event,
    ...type,
    agent_id,
    office_id,
    quantity,
    id: randomUUID(),
    occurred_at: at,
    recorded_at: at,
    earning_cents: pays * earning,
    payout_centavos: pays * payout,
    lpp: 0,
    rate_source: 'default',
    fraud: false,
    click_id: 'a click',
    ...(quantity < 0 && { reverses: randomUUID(), reversal: 'void' }),
  }
}
