import { fc, test as property } from '@fast-check/vitest'
import type { StatsPoint } from '@tallyroom/contract/figures/statistics'
import { statsTables, type StatsTableName } from '@tallyroom/contract/figures/stats-table'
import { addDays, type Day, startOfDay } from '@tallyroom/domain/new-york'
import { type Comparison, periodOf, weeksOf } from '@tallyroom/domain/periods'
import { expect, test } from 'vitest'
import { addToTotals, clearTotals } from '../../../test/add-to-totals.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { anyDeed, buildTwoOffices, FIRST, WEEKS } from '../../../test/two-office-world.ts'
import type { TotalsDelta } from '../../totals/index.ts'
import type { ReportCriteria } from './report-criteria.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const world = await buildTwoOffices(db)
const { offices, agents, sites, types } = world
await db
  .insertInto('avp_tiers')
  .values([
    // The second schedule takes effect within the compared weeks.
    tier('2026-01-05', 0, 0, 2, 100),
    tier('2026-01-05', 1, 3, 1000, 250),
    tier('2026-03-02', 0, 0, 1000, 700),
  ])
  .execute()

function tier(valid_from: Day, index: number, from: number, to: number, centavos: number) {
  return {
    valid_from,
    index,
    from_sales: from,
    to_sales: to,
    payout_centavos: centavos,
    payout_cents: centavos * 2,
  }
}

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])

const day = fc.integer({ min: 0, max: 7 * WEEKS - 1 }).map((days) => addDays(FIRST, days))
const history = fc.array(
  fc.record({
    ...anyDeed(world),
    raws: fc.integer({ min: 0, max: 3 }),
    uniques: fc.integer({ min: 0, max: 3 }),
    sales: fc.integer({ min: -1, max: 2 }),
    bonus_sales: fc.integer({ min: -1, max: 1 }),
    earning_cents: fc.integer({ min: -99_999, max: 99_999 }),
    payout_centavos: fc.integer({ min: -99_999, max: 99_999 }),
  }),
  { minLength: 5, maxLength: 60 },
)
const maybe = <T>(values: readonly T[]) => fc.constantFrom(undefined, undefined, ...values)
const lengths = ['day', 'week', 'beWeek', 'month', 'some days'] as const
const question = fc.record({
  around: day,
  length: fc.constantFrom(...lengths),
  days: fc.integer({ min: 1, max: 17 }),
  compare: fc.constantFrom<Comparison[]>('previous', 'previous-whole', 'last-year'),
  filter: fc.record({
    siteId: maybe(sites),
    typeId: maybe(types.map(({ type_id }) => type_id)),
    companyId: maybe(offices),
    agentId: maybe(agents),
  }),
})

const beforeMidnight = (one: Day) => new Date(startOfDay(addDays(one, 1)).getTime() - 60_000)

property.prop(
  [
    history,
    day,
    // Just after midnight in New York, and a minute before the next: each reading moves the clock.
    fc.constantFrom((one: Day) => startOfDay(one), beforeMidnight),
    fc.array(question, { minLength: 6, maxLength: 6 }),
  ],
  { numRuns: 10 },
)(
  'what is compared is a recount of the same number of days, and the points add up to both totals',
  async (events, today, instantOf, questions) => {
    await clearTotals(db)
    const happened = events
      .filter((event) => event.day <= today)
      .map(({ type: { avp, ...type }, ...delta }) => ({
        ...delta,
        ...type,
        avp_sales: avp ? delta.sales : 0,
      }))
    await addToTotals(db, happened)
    const databases = databasesAt(db, instantOf(today).toISOString())
    const ask = (name: StatsTableName, criteria: Omit<ReportCriteria, 'page' | 'pageSize'>) =>
      statsReport(databases, superadmin, name, {
        ...criteria,
        page: 1,
        pageSize: 1,
      })
    for (const { around, length, days, compare, filter } of questions) {
      const range = length === 'some days' ? [around, days] : rangeOf(around, length)
      const [start, count] = range as [Day, number]
      for (const name of Object.keys(statsTables) as StatsTableName[]) {
        const { isWeekly } = statsTables[name]
        const asked = isWeekly
          ? weeksOf({ start, end: addDays(start, count - 1) })
          : { start, end: addDays(start, count - 1) }
        const criteria = { ...filter, ...asked, groupBy: 'agent' as const }
        const { compared, points, overall } = await ask(name, {
          ...criteria,
          compare,
          points: true,
        })
        const expected = naiveDays(daysFrom(asked), today, compare, isWeekly)
        expect(compared && [compared.start, compared.end]).toEqual(
          expected && [expected[0], expected.at(-1)],
        )
        expect(sumOf(points?.items ?? [], 'now')).toEqual(withoutRatio(overall))
        expect(points?.items.filter(({ date }) => date !== undefined)).toHaveLength(
          daysFrom(asked).length,
        )
        if (!compared || !expected) continue
        expect(compared.overall).toMatchObject(recount(happened, expected, filter))
        expect(sumOf(points?.items ?? [], 'before')).toEqual(withoutRatio(compared.overall))
        // Equal to requesting those days directly.
        const { start: from, end } = compared
        expect((await ask(name, { ...criteria, start: from, end })).overall).toEqual(
          compared.overall,
        )
      }
    }
  },
)

function rangeOf(around: Day, length: Exclude<(typeof lengths)[number], 'some days'>) {
  const { start, end } = periodOf(around, length)
  return [start, daysFrom({ start, end }).length] as const
}

function daysFrom({ start, end }: { start: Day; end: Day }): Day[] {
  const days = []
  for (let next = start; next <= end; next = addDays(next, 1)) days.push(next)
  return days
}

/** The compared days, found day by day. */
function naiveDays(
  range: Day[],
  today: Day,
  compare: Comparison,
  isWeekly: boolean,
): Day[] | undefined {
  const begun = range.filter((one) => one <= today).length
  const isOver = isWeekly || compare === 'previous-whole' || (range.at(-1) ?? '') < today
  const wanted = isOver ? range.length : begun
  if (wanted === 0) return undefined
  const kind = isWeekly ? undefined : kindOf(range)
  if (compare === 'last-year') {
    const weeks = range.length % 7 === 0 && new Date(range[0] ?? '').getUTCDay() === 1
    const days = weeks
      ? range.map((one) => addDays(one, -364))
      : range.map((one) => one.replace('2026', '2025'))
    return days.slice(0, wanted)
  }
  if (!kind) {
    const days = []
    for (let back = wanted; back > 0; back--) days.push(addDays(range[0] ?? '', -back))
    return days
  }
  const last = addDays(range[0] ?? '', -1)
  const whole = []
  for (let one = last; kind(one) === kind(last); one = addDays(one, -1)) whole.unshift(one)
  return isOver ? whole : whole.slice(0, wanted)
}

/** The kind of period that a range is: a month, half-month or week, if any. */
function kindOf(range: Day[]) {
  const month = (one: Day) => one.slice(0, 7)
  const half = (one: Day) => `${month(one)} ${one.slice(8) <= '15'}`
  const week = (one: Day) => `week ${Math.floor((Date.parse(one) / 86_400_000 + 3) / 7)}`
  const [first = '', last = ''] = [range[0], range.at(-1)]
  return [month, half, week].find(
    (name) =>
      name(first) === name(last) &&
      name(addDays(first, -1)) !== name(first) &&
      name(addDays(last, 1)) !== name(last),
  )
}

function recount(events: TotalsDelta[], days: Day[], filter: Record<string, number | undefined>) {
  const { siteId, typeId, companyId, agentId } = filter
  const counted = events.filter(
    (event) =>
      days.includes(event.day) &&
      event.site_id === (siteId ?? event.site_id) &&
      event.type_id === (typeId ?? event.type_id) &&
      event.office_id === (companyId ?? event.office_id) &&
      event.agent_id === (agentId ?? event.agent_id),
  )
  const sum = (of: (event: TotalsDelta) => number | undefined) =>
    counted.reduce((total, event) => total + (of(event) ?? 0), 0)
  return {
    raws: sum(({ raws }) => raws),
    uniques: sum(({ uniques }) => uniques),
    sales: sum(({ sales }) => sales),
    payout: sum(({ payout_centavos }) => payout_centavos) / 100,
    earning: sum(({ earning_cents }) => earning_cents) / 100,
  }
}

/** The sums of the points' figures, in minor units, like those of `withoutRatio`. */
function sumOf(points: readonly StatsPoint[], which: 'now' | 'before') {
  const sums: Record<string, number> = {}
  for (const point of points)
    for (const [name, value] of Object.entries(withoutRatio(point[which] ?? {})))
      sums[name] = (sums[name] ?? 0) + value
  // A range of which no day has begun has no points, so the sum is zero everywhere.
  return Object.keys(sums).length > 0 ? sums : expect.toSatisfy(isNothing)
}

const isNothing = (totals: object) => Object.values(totals).every((value) => value === 0)

const withoutRatio = (totals: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(totals).flatMap(([name, value]: [string, number]) =>
      name === 'bonusRatio' || name === 'lpp_prev' ? [] : [[name, Math.round(value * 100)]],
    ),
  )

const EVERYTHING = {
  siteId: undefined,
  typeId: undefined,
  companyId: undefined,
  agentId: undefined,
}

test('a year has one point per month, and its months add up', async () => {
  await clearTotals(db)
  const on = (of: Day, sales: number) => ({
    day: of,
    agent_id: agents[0],
    office_id: offices[0],
    site_id: sites[0],
    type_id: types[0].type_id,
    sales,
  })
  await addToTotals(db, [on('2026-01-31', 2), on('2026-02-01', 3), on('2026-03-15', 5)])
  await addToTotals(db, [on('2025-01-01', 7), on('2025-03-20', 11), on('2025-03-21', 100)])
  for (const filter of [{}, { siteId: sites[0] }, { agentId: agents[0] }]) {
    const { points, compared } = await statsReport(
      databasesAt(db, '2026-03-20T12:00:00Z'),
      superadmin,
      'sites',
      {
        ...EVERYTHING,
        ...filter,
        groupBy: 'date',
        start: '2026-01-01',
        end: '2026-12-31',
        page: 1,
        pageSize: 1,
        compare: 'previous',
        points: true,
      },
    )
    expect(compared).toMatchObject({ start: '2025-01-01', end: '2025-03-20' })
    expect(compared?.overall.sales).toBe(18)
    expect(points?.unit).toBe('month')
    expect(points?.items.map(({ date, now }) => [date, now?.sales]).slice(0, 4)).toEqual([
      ['2026-01-01', 2],
      ['2026-02-01', 3],
      ['2026-03-01', 5],
      ['2026-04-01', undefined],
    ])
    expect(points?.items).toHaveLength(12)
    expect(points?.items.map(({ before }) => before?.sales).slice(0, 4)).toEqual([
      7,
      0,
      11,
      undefined,
    ])
  }
})

test('an AVP report has one point per week over many days, and its weeks add up', async () => {
  await clearTotals(db)
  const on = (of: Day, avp_sales: number) => ({
    day: of,
    agent_id: agents[0],
    office_id: offices[0],
    site_id: sites[0],
    type_id: types[0].type_id,
    sales: avp_sales,
    avp_sales,
  })
  await addToTotals(db, [on('2026-01-05', 2), on('2026-01-11', 3), on('2026-05-03', 4)])
  const { points, overall } = await statsReport(
    databasesAt(db, '2026-06-01T12:00:00Z'),
    superadmin,
    'payrollAvp',
    {
      ...EVERYTHING,
      groupBy: 'agent',
      start: '2026-01-05',
      end: '2026-05-03',
      page: 1,
      pageSize: 1,
      points: true,
    },
  )
  expect(points?.unit).toBe('week')
  expect(points?.items).toHaveLength(17)
  expect(points?.items.map(({ date, now }) => [date, now?.avpSales, now?.payoutPhp])).toEqual(
    expect.arrayContaining([
      ['2026-01-05', 5, 12.5],
      ['2026-01-12', 0, 0],
      ['2026-04-27', 4, 28],
    ]),
  )
  expect(sumOf(points?.items ?? [], 'now')).toEqual(withoutRatio(overall))
})

test('the compared sums and the points leave out what the viewer may not see', async () => {
  await clearTotals(db)
  const on = (of: Day) => ({
    day: of,
    agent_id: agents[0],
    office_id: offices[0],
    site_id: sites[0],
    type_id: types[0].type_id,
    sales: 1,
    payout_centavos: 100,
    earning_cents: 100,
    bonus_payout_centavos: 100,
    bonus_earning_cents: 100,
    lpp: 3,
  })
  await addToTotals(db, [on('2026-03-02'), on('2026-02-23')])
  const databases = databasesAt(db, '2026-03-04T12:00:00Z')
  const own = { officeId: offices[0], agentId: undefined }
  const seenBy = async (who: Parameters<typeof statsReport>[1]) => {
    const { compared, points } = await statsReport(databases, who, 'sites', {
      ...EVERYTHING,
      groupBy: 'date',
      start: '2026-03-02',
      end: '2026-03-08',
      page: 1,
      pageSize: 1,
      compare: 'previous',
      points: true,
    })
    const [first] = points?.items ?? []
    const names = [compared?.overall, first?.now, first?.before].map((sums) =>
      Object.keys(sums ?? {}).filter((name) => /payout|earning|lpp/i.test(name)),
    )
    expect(names.map((one) => one.toSorted())).toEqual(names.map(() => names[0]?.toSorted()))
    return names[0]?.toSorted()
  }
  const earnings = ['bonusEarning', 'earning']
  const payouts = ['bonusPayout', 'payout']
  const staff = { officeId: undefined, agentId: undefined }
  expect(await seenBy(superadmin)).toEqual(expect.arrayContaining([...earnings, ...payouts]))
  const admin = await seenBy(viewer({ role: 'admin', ...staff }))
  expect(admin).toEqual(expect.arrayContaining(payouts))
  expect(admin).not.toEqual(expect.arrayContaining(earnings))
  expect(await seenBy(viewer({ role: 'company', ...own }))).toEqual([])
  expect(await seenBy(viewer({ role: 'agent', officeId: offices[0], agentId: agents[0] }))).toEqual(
    [],
  )
})

test('nothing is added unless it is asked for', async () => {
  const answer = await statsReport(databasesAt(db, '2026-03-20T12:00:00Z'), superadmin, 'sites', {
    ...EVERYTHING,
    groupBy: 'date',
    start: '2026-03-01',
    end: '2026-03-15',
    page: 1,
    pageSize: 1,
  })
  expect(Object.keys(answer)).not.toContain('compared')
  expect(Object.keys(answer)).not.toContain('points')
})
