import {
  officePerformanceEndpoints,
  type OfficeChart,
  type PerformanceRow,
} from '@tallyroom/contract/figures/office-performance'
import { expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { officePerformanceRoutes } from './office-performance.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
services.clock.set('2026-03-18T15:00:00Z')
const call = await callRoutes(officePerformanceRoutes(services))
const { officePerformance, officeCharts } = officePerformanceEndpoints

const site = await buildSite(db)
const type = await buildLinkType(db, { site_id: site })
const manila = await officeWithAgent({ name: 'Manila' })
const cebu = await officeWithAgent({ name: 'cebu' })
const iloilo = await officeWithAgent({ name: 'Iloilo', active: false })
const quiet = await officeWithAgent({ name: 'Quiet' })
await officeWithAgent({ name: 'Asleep', active: false })
const shadow = await officeWithAgent({ name: 'Shadow', hidden: true })

async function officeWithAgent(values: Parameters<typeof buildOffice>[1]) {
  const office_id = await buildOffice(db, values)
  return { office_id, agent_id: await buildAgent(db, { office_id }) }
}

const sold = (day: string, who: { office_id: number; agent_id: number }, sales: number) => ({
  day,
  ...who,
  site_id: site,
  type_id: type,
  sales,
  raws: 5,
})

await addToTotals(db, [
  // In the first half of March, the older period.
  sold('2026-02-28', manila, 100),
  sold('2026-03-01', manila, 6),
  sold('2026-03-15', manila, 2),
  sold('2026-03-10', cebu, 4),
  sold('2026-03-15', shadow, 1),
  // In the second half, the newer one.
  sold('2026-03-16', manila, 12),
  sold('2026-03-18', cebu, 2),
  sold('2026-03-18', cebu, -1), // a reversal
  sold('2026-03-17', iloilo, 3),
  sold('2026-03-17', shadow, 9),
  // Long before.
  sold('2025-12-31', cebu, 5),
])

const period1 = { start: '2026-03-16', end: '2026-03-31' }
const period2 = { start: '2026-03-01', end: '2026-03-15' }

const superadmin = viewer()
const officeOf = ({ office_id }: { office_id: number }) =>
  viewer({ role: 'company', officeId: office_id, agentId: undefined })

async function compare(who: typeof superadmin, more: object = {}): Promise<PerformanceRow[]> {
  const { body } = await call(who, officePerformance, { body: { period1, period2, ...more } })
  return body as PerformanceRow[] // parsed by the same schema
}

test('every active office, and suspended ones that sold, by name; hidden ones are left out', async () => {
  expect(await compare(superadmin)).toEqual([
    {
      id: cebu.office_id,
      name: 'cebu',
      sales1: 1,
      sales2: 4,
      progress: -75,
      sales2ToDate: 0,
      growth: 100,
    },
    {
      id: iloilo.office_id,
      name: 'Iloilo',
      sales1: 3,
      sales2: 0,
      progress: 100,
      sales2ToDate: 0,
      growth: 100,
    },
    {
      id: manila.office_id,
      name: 'Manila',
      sales1: 12,
      sales2: 8,
      progress: 50,
      sales2ToDate: 6,
      growth: 100,
    },
    {
      id: quiet.office_id,
      name: 'Quiet',
      sales1: 0,
      sales2: 0,
      progress: 0,
      sales2ToDate: 0,
      growth: 0,
    },
  ])
})

test.each([
  ['name', true, ['cebu', 'Iloilo', 'Manila', 'Quiet']],
  ['name', false, ['Quiet', 'Manila', 'Iloilo', 'cebu']],
  ['sales1', false, ['Manila', 'Iloilo', 'cebu', 'Quiet']],
  // Ties are ordered by name.
  ['sales2', true, ['Iloilo', 'Quiet', 'cebu', 'Manila']],
  ['progress', true, ['cebu', 'Quiet', 'Manila', 'Iloilo']],
])('sorted by %s, ascending: %s', async (sortField, sortAsc, names) => {
  const rows = await compare(superadmin, { sortField, sortAsc })
  expect(rows.map(({ name }) => name)).toEqual(names)
})

test('an office sees itself, even if it is hidden or has sold nothing', async () => {
  expect((await compare(officeOf(manila))).map(({ name }) => name)).toEqual(['Manila'])
  expect(await compare(officeOf(shadow))).toMatchObject([{ name: 'Shadow', sales1: 9, sales2: 1 }])
  expect(await compare(officeOf(quiet))).toMatchObject([{ name: 'Quiet', sales1: 0, sales2: 0 }])
})

test('a period may be sent as answers name it, with its length', async () => {
  const named = (range: object) => ({ ...range, periodLength: 'beWeek' })
  expect(await compare(superadmin, { period1: named(period1), period2: named(period2) })).toEqual(
    await compare(superadmin),
  )
})

test('the same days twice show no progress', async () => {
  const rows = await compare(superadmin, { period2: period1 })
  expect(rows.map(({ progress }) => progress)).toEqual([0, 0, 0, 0])
})

test('by day: a point for each day until today, compared with the day before, also for the first one', async () => {
  expect(await charts(superadmin, { start: '2026-03-15', end: '2026-03-21' })).toEqual([
    {
      companyId: cebu.office_id,
      officeName: 'cebu',
      items: [
        point('15', 0, 0, 0),
        point('16', 0, 0, 0),
        point('17', 0, 0, 0),
        point('18', 1, 0, 100),
      ],
    },
    {
      companyId: iloilo.office_id,
      officeName: 'Iloilo',
      items: [
        point('15', 0, 0, 0),
        point('16', 0, 0, 0),
        point('17', 3, 0, 100),
        point('18', 0, 3, -100),
      ],
    },
    {
      companyId: manila.office_id,
      officeName: 'Manila',
      items: [
        point('15', 2, 0, 100),
        point('16', 12, 2, 500),
        point('17', 0, 12, -100),
        point('18', 0, 0, 0),
      ],
    },
  ])
  const [first] = await charts(superadmin, { start: '2026-03-01', end: '2026-03-01' })
  expect(first).toMatchObject({ officeName: 'Manila', items: [point('01', 6, 100, -94)] })
})

test('by month: whole months, compared with the month before', async () => {
  const drawn = await charts(superadmin, {
    start: '2026-01-10',
    end: '2026-12-31',
    groupBy: 'month',
  })
  expect(drawn.map(({ officeName, items }) => [officeName, ...items])).toEqual([
    ['cebu', month('01', 0, 5, -100), month('02', 0, 0, 0), month('03', 5, 0, 100)],
    ['Iloilo', month('01', 0, 0, 0), month('02', 0, 0, 0), month('03', 3, 0, 100)],
    ['Manila', month('01', 0, 0, 0), month('02', 100, 0, 100), month('03', 20, 100, -80)],
  ])
})

test('an office has only its own chart; without sales, or for future days, there is none', async () => {
  const march = { start: '2026-03-01', end: '2026-03-31' }
  expect((await charts(officeOf(cebu), march)).map(({ officeName }) => officeName)).toEqual([
    'cebu',
  ])
  expect((await charts(officeOf(shadow), march)).map(({ officeName }) => officeName)).toEqual([
    'Shadow',
  ])
  expect(await charts(officeOf(quiet), march)).toEqual([])
  expect(await charts(superadmin, { start: '2026-03-19', end: '2026-03-31' })).toEqual([])
})

test.each([
  [
    'a period the wrong way round',
    officePerformance,
    { period1: { start: '2026-03-02', end: '2026-03-01' }, period2 },
    'period1.start',
  ],
  ['a missing period', officePerformance, { period1 }, 'period2'],
  [
    'a column that is none',
    officePerformance,
    { period1, period2, sortField: 'office' },
    'sortField',
  ],
  ['a grouping that is none', officePerformance, { period1, period2, groupBy: 'agent' }, 'groupBy'],
  ['more than 100 days by day', officeCharts, { start: '2025-12-01', end: '2026-03-31' }, 'end'],
  [
    'more than ten years by month',
    officeCharts,
    { start: '2010-01-01', end: '2026-03-31', groupBy: 'month' },
    'end',
  ],
  ['days the wrong way round', officeCharts, { start: '2026-03-02', end: '2026-03-01' }, 'start'],
])('%s is refused', async (_what, endpoint, body, field) => {
  const answer = await call(superadmin, endpoint, { body })
  expect(answer.status).toBe(422)
  expect(Object.keys((answer.body as { data: object }).data)).toEqual([field])
})

test('an agent is refused', async () => {
  const agent = viewer({ role: 'agent', officeId: manila.office_id, agentId: manila.agent_id })
  expect((await call(agent, officePerformance, { body: { period1, period2 } })).status).toBe(403)
  expect((await call(agent, officeCharts, { body: period1 })).status).toBe(403)
})

const charts = async (who: typeof superadmin, body: object): Promise<OfficeChart[]> =>
  (await call(who, officeCharts, { body })).body as OfficeChart[] // parsed by the same schema

const point = (day: string, value: number, before: number, progress: number) => ({
  date: `2026-03-${day}`,
  value,
  before,
  progress,
})

const month = (number: string, value: number, before: number, progress: number) => ({
  date: `2026-${number}-01`,
  value,
  before,
  progress,
})

test.each([
  ['before the first', '1899-12-31', 422],
  ['the first', '1900-01-01', 200],
  ['the last', '2199-12-31', 200],
  ['after the last', '2200-01-01', 422],
  ['where the calendar ends', '9999-12-31', 422],
])('days of reports: %s', async (_, day, status) => {
  const one = { start: day, end: day }
  const periods = await call(superadmin, officePerformance, {
    body: { period1: one, period2: one },
  })
  const drawn = await call(superadmin, officeCharts, { body: one })
  expect([periods.status, drawn.status]).toEqual([status, status])
})

test('the charts accept a period, too, and ask for missing days', async () => {
  const period = { start: '2026-03-16', end: '2026-03-18' }
  const flat = await call(viewer(), officeCharts, { body: period })
  expect(flat).toMatchObject({ status: 200 })
  expect(
    await call(viewer(), officeCharts, { body: { period: { ...period, periodLength: 'week' } } }),
  ).toEqual(flat)
  expect(await call(viewer(), officeCharts, { body: {} })).toMatchObject({
    status: 422,
    body: { data: { start: ['Choose a start date'], end: ['Choose an end date'] } },
  })
})
