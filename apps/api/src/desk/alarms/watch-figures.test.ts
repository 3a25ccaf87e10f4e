import { randomUUID } from 'node:crypto'
import { type Alarm, alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { HOUR_MS } from '@tallyroom/domain/alarms'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { alarmsRoutes } from './alarms.routes.ts'
import { watchFigures } from './watch-figures.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(alarmsRoutes(services))
const superadmin = viewer()

const NOW = '2026-06-17T16:10:00Z' // a Wednesday
const office = await buildOffice(db, { name: 'Manila' })
const agent = await buildAgent(db, { office_id: office })
const site = await buildSite(db, { sitename: 'Lantern' })
const type = await buildLinkType(db, { site_id: site, typename: 'Credits' })

beforeEach(async () => {
  clock.set(NOW)
  await emptyTables(database.connection, [
    'hourly_figures',
    'alarms',
    'quiet_sites',
    'clicks',
    'sale_events',
    'postbacks',
    'untold_facts',
    'facts',
  ])
  await countedTo(new Date('2026-06-16T00:00:00Z'))
})

test('what counts is counted by the hour, for everybody whose it is, eleven weeks back at first', async () => {
  await countedTo(null)
  await clicks('2026-04-01T02:00:00Z', 1)
  await clicks('2026-06-17T14:00:00Z', 2)
  await clicks('2026-06-17T14:30:00Z', 1, { uncounted: 'blacklisted' })
  await sold('2026-06-17T15:59:59Z', '2026-06-17T16:00:00Z') // by when it was recorded
  await refused('2026-06-17T13:00:00Z')
  await watch()
  const rows = await db
    .selectFrom('hourly_figures')
    .select(['watched', 'clicks', 'sales', 'refused'])
    .where('day', '=', '2026-06-17')
    .execute()
  const hours = (counts: number[]) =>
    counts.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))
  const found = Object.fromEntries(
    rows.map(({ watched, ...row }) => [
      watched,
      [hours(row.clicks), hours(row.sales), hours(row.refused)],
    ]),
  )
  const sums = [[[14, 2]], [[16, 1]]]
  expect(found).toEqual({
    network: [...sums, [[13, 1]]],
    site: [...sums, [[13, 1]]],
    type: [...sums, []],
    office: [...sums, []],
  })
  const first = await db
    .selectFrom('hourly_figures')
    .select('day')
    .orderBy('day')
    .executeTakeFirst()
  expect(first).toEqual({ day: '2026-04-01' })
})

test('clicks that are committed late are counted once, with the hour before', async () => {
  await clicks('2026-06-17T10:30:00Z', 1)
  await watch()
  await clicks('2026-06-17T15:20:00Z', 3)
  await watch()
  await watch()
  const { clicks: counted } = await db
    .selectFrom('hourly_figures')
    .select('clicks')
    .where('watched', '=', 'office')
    .where('day', '=', '2026-06-17')
    .executeTakeFirstOrThrow()
  expect(counted[15]).toBe(3)
})

test('hours that a clock ahead has counted are counted again when they come', async () => {
  clock.set('2026-06-18T16:10:00Z')
  await watch()
  clock.set(NOW)
  await clicks('2026-06-17T16:05:00Z', 3)
  await watch()
  const { clicks: counted } = await db
    .selectFrom('hourly_figures')
    .select('clicks')
    .where('watched', '=', 'office')
    .where('day', '=', '2026-06-17')
    .executeTakeFirstOrThrow()
  expect(counted[16]).toBe(3)
})

test('a site that falls silent is told once, for all of its link types, and ends when it is back', async () => {
  await always({ clicks: 30 })
  await Promise.all([watch(), watch()])
  await watch()
  const raised = await open()
  expect(raised.map(({ kind, watched }) => [kind, watched])).toEqual([
    ['no-clicks', 'office'],
    ['no-clicks', 'site'],
  ])
  expect(raised[1]).toMatchObject({
    name: 'Lantern',
    siteId: site,
    came: 0,
    raisedAt: about('2026-06-17T16:10:00Z'),
  })
  expect(raised[1]?.expected).toBeGreaterThan(60)

  await clicks('2026-06-17T16:05:00Z', 40)
  await watch()
  expect(await open()).toEqual([])
  const told = await db.selectFrom('facts').select(['kind', 'subject']).execute()
  expect(told.map(({ kind }) => kind).toSorted()).toEqual([
    'alarm.ended',
    'alarm.ended',
    'alarm.raised',
    'alarm.raised',
  ])
  expect(told.map(({ subject }) => subject)).toContainEqual({
    alarmId: raised[1]?.id,
    title: 'Lantern: no clicks',
    text: expect.stringMatching(/^0 came, about \d+ are usual, since /) as unknown,
    page: `/app/sites/${site}/alarms`,
  })
  const { items } = await listed()
  expect(items.map(({ endedAt }) => endedAt)).toEqual([
    about('2026-06-17T16:10:00Z'),
    about('2026-06-17T16:10:00Z'),
  ])
})

test('a merchant whose postbacks are suddenly refused', async () => {
  for (let minute = 0; minute < 9; minute++) await refused(`2026-06-17T16:0${minute}:00Z`)
  await watch()
  expect((await open()).map(({ kind, watched }) => [kind, watched])).toEqual([['refused', 'site']])
})

test('a quiet site raises nothing until its break is over', async () => {
  await always({ clicks: 30 }, { office: false })
  expect((await quiet('2026-06-19')).status).toBe(200)
  await watch()
  expect(await open()).toEqual([])
  clock.set('2026-06-19T03:59:00Z')
  await watch()
  expect(await open()).toEqual([])
  clock.set('2026-06-19T04:01:00Z')
  await watch()
  expect((await open()).map(({ kind }) => kind)).toEqual(['no-clicks'])
})

test('a break begins tomorrow at the earliest and ends within a year', async () => {
  for (const until of ['2026-06-17', '2026-06-01', '2027-06-30', 'soon'])
    expect((await quiet(until)).status).toBe(422)
  expect((await quiet('2026-06-18')).status).toBe(200)
  expect((await listed(site)).siteQuietUntil).toBe('2026-06-18T04:00:00.000Z')
  expect((await quiet(null)).status).toBe(200)
  expect((await listed(site)).siteQuietUntil).toBeNull()
})

test('a switched-off site raises nothing, and its alarm ends', async () => {
  await always({ clicks: 30 }, { office: false })
  await watch()
  expect(await open()).toHaveLength(1)
  await db.updateTable('sites').set({ active: false }).where('id', '=', site).execute()
  await watch()
  await watch()
  expect(await open()).toEqual([])
  await db.updateTable('sites').set({ active: true }).where('id', '=', site).execute()
})

test('the chart shows what came beside what is usual, up to the current hour', async () => {
  await always({ clicks: 30, sales: 2 })
  await clicks('2026-06-17T15:05:00Z', 7)
  await watch()
  const { body } = await call(superadmin, alarmsEndpoints.alarmChart, {
    query: { watched: 'site', id: String(site) },
  })
  expect(body.hours).toHaveLength(72)
  expect(body.hours.at(-2)).toEqual({
    from: '2026-06-17T15:00:00.000Z',
    clicks: 7,
    usualClicks: 30,
    sales: 0,
    usualSales: 2,
  })
})

test('settings: what others have changed is not overwritten', async () => {
  const { body: before } = await call(superadmin, alarmsEndpoints.alarmSettings)
  const save = (body: object) => call(superadmin, alarmsEndpoints.saveAlarmSettings, { body })
  expect((await save({ leastClicks: 50, version: before.version })).status).toBe(200)
  expect((await save({ leastSales: 9, version: before.version })).status).toBe(409)
  expect((await save({ leastSales: 2 })).status).toBe(422)
  const { body: after } = await call(superadmin, alarmsEndpoints.alarmSettings)
  expect(after).toEqual({ ...before, leastClicks: 50, version: before.version + 1 })
})

const countedTo = (at: Date | null) =>
  db.updateTable('alarm_settings').set({ counted_to: at }).execute()

/** Until all is counted: a run counts for two seconds at most. */
async function watch(): Promise<void> {
  while (!(await watchFigures(services)));
}

async function listed(siteId?: number): Promise<{ items: Alarm[]; siteQuietUntil: string | null }> {
  const query = siteId === undefined ? {} : { siteId: String(siteId) }
  return (await call(superadmin, alarmsEndpoints.alarms, { query })).body
}

const open = async () =>
  (await listed()).items
    .filter(({ endedAt }) => endedAt === null)
    .toSorted((a, b) => (a.watched < b.watched ? -1 : 1))

const quiet = (until: string | null) =>
  call(superadmin, alarmsEndpoints.quietSite, { params: { id: site }, body: { until } })

const clicks = async (at: string, count: number, values: { uncounted?: string } = {}) => {
  for (let made = 0; made < count; made++) {
    await buildClick(db, {
      agent_id: agent,
      office_id: office,
      type_id: type,
      clicked_at: new Date(at),
      ...values,
    })
  }
}

/** What has been counted until an hour before the last whole one, day and night. */
async function always(
  { clicks: clicksAnHour = 0, sales: salesAnHour = 0 },
  of: { office?: boolean } = {},
): Promise<void> {
  const until = Math.floor(Date.parse(NOW) / HOUR_MS) - 3
  const subjects = [
    ['site', site],
    ['type', type],
    ...(of.office === false ? [] : [['office', office]]),
  ] as const
  for (const [watched, id] of subjects) {
    await sql`
      insert into hourly_figures (day, watched, id, clicks, sales, refused)
      select day::date, ${watched}, ${id}, clicks, sales, array_fill(0, array[24])
      from (
        select
          day,
          array_agg(case when hour < ${until} then ${clicksAnHour} else 0 end order by hour) as clicks,
          array_agg(case when hour < ${until} then ${salesAnHour} else 0 end order by hour) as sales
        from (
          select hour, (timestamp 'epoch' + hour * interval '1 hour')::date as day
          from generate_series(${until - 77 * 24 - 24}::integer / 24 * 24, ${until}::integer / 24 * 24 + 23) as hour
        ) as hours
        group by day
      ) as days
    `.execute(db)
  }
  await countedTo(new Date(until * HOUR_MS))
}

async function sold(occurredAt: string, recordedAt: string): Promise<void> {
  await db
    .insertInto('sale_events')
    .values({
      id: randomUUID(),
      agent_id: agent,
      office_id: office,
      site_id: site,
      type_id: type,
      occurred_at: new Date(occurredAt),
      recorded_at: new Date(recordedAt),
      event_type: 0,
      quantity: 1,
      earning_cents: 0,
      payout_centavos: 0,
      lpp: 0,
      avp: false,
      rate_source: 'default',
      fraud: false,
      click_id: 'a click',
    })
    .execute()
}

async function refused(at: string): Promise<void> {
  await db
    .insertInto('postbacks')
    .values({
      id: randomUUID(),
      received_at: new Date(at),
      site_id: site,
      method: 'GET',
      ip: '203.0.113.7',
      params: '{}',
      outcome: 'refused',
      reason: 'The key is wrong',
    })
    .execute()
}
