import { fc, test as property } from '@fast-check/vitest'
import { readFile } from 'node:fs/promises'
import { periodOf } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addAndFold, addToTotals, anyDelta, clearTotals } from '../../test/add-to-totals.ts'
import { buildLinkType, buildSite } from '../../test/build-world.ts'
import { testDatabase } from '../../test/database.ts'
import { buildHandCountedWorld } from '../../test/hand-counted-world.ts'
import { everything } from '../access/scope.ts'
import { findLayout } from '../db/citus/layout.ts'
import { openDatabase } from '../db/database.ts'
import { LEVELS, type TotalsDelta, foldTotals, rebuildTotals, verifyTotals } from './index.ts'
import { coarsestLevel, type Dimension, hasOpenDay } from './levels.ts'
import { tieredSource } from './totals-source.queries.ts'

const { db, connection } = await testDatabase()
await buildLinkType(db, { site_id: await buildSite(db) }) // 1 of 1
const isDistributed = (await findLayout(db)) === 'distributed'
const owner = openDatabase(connection, { max: 1, applicationName: 'test owner', asOwner: true })

beforeEach(async () => {
  const levels = LEVELS.map(({ table }) => table)
  const tables = [...levels, 'totals_pending', 'totals_open_day', 'clicks', 'sale_events']
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(owner.db)
})

const delta = (more: Partial<TotalsDelta>): TotalsDelta => ({
  day: '2026-03-08',
  agent_id: 1,
  office_id: 1,
  site_id: 1,
  type_id: 1,
  ...more,
})

test('a fold applies pending rows to every level, once', async () => {
  await addToTotals(db, [
    delta({ raws: 2, uniques: 1 }),
    delta({ raws: 1, type_id: 2 }),
    delta({ sales: 1, earning_cents: 2500, agent_id: 2 }),
    delta({ raws: 5, day: '2026-04-01' }),
  ])

  expect(await foldTotals(db)).toBe('folded')
  expect(await foldTotals(db)).toBe('nothing to fold')

  const office = await db
    .selectFrom('totals_day_office')
    .select(['day', 'office_id', 'raws', 'uniques', 'sales', 'earning_cents', 'detail_rows'])
    .orderBy('day')
    .execute()
  expect(office).toEqual([
    {
      day: '2026-03-08',
      office_id: 1,
      raws: 3,
      uniques: 1,
      sales: 1,
      earning_cents: 2500,
      detail_rows: 2,
    },
    {
      day: '2026-04-01',
      office_id: 1,
      raws: 5,
      uniques: 0,
      sales: 0,
      earning_cents: 0,
      detail_rows: 1,
    },
  ])
  expect(await readMonths()).toEqual([
    { day: '2026-03-01', agent_id: 1, raws: 3 },
    { day: '2026-03-01', agent_id: 2, raws: 0 },
  ])
})

const readMonths = () =>
  db
    .selectFrom('totals_month_agent')
    .select(['day', 'agent_id', 'raws'])
    .orderBy('day')
    .orderBy('agent_id')
    .execute()

test('months get the newest day when the next one begins, and late events of days before at once', async () => {
  await addAndFold(db, [delta({ raws: 1 })])
  await addAndFold(db, [delta({ raws: 2 })])
  expect(await readMonths()).toEqual([])
  await addAndFold(db, [delta({ raws: 4, day: '2026-03-09' })])
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 3 }])
  await addAndFold(db, [delta({ raws: 8 }), delta({ raws: 16, day: '2026-03-09' })])
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 11 }])
  await addAndFold(db, [delta({ raws: 32, day: '2026-04-02' })])
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 31 }])
})

test('weeks have sales of the newest day at once, and its clicks when the next one begins', async () => {
  const readWeeks = (table: 'totals_week_agent' | 'totals_week_office_avp') =>
    db
      .selectFrom(table)
      .select(['day', 'week_avp_sales as avp', 'raws', 'uniques', 'sales'])
      .orderBy('day')
      .orderBy('week_avp_sales')
      .execute()
  const monday = '2026-03-02'
  await addAndFold(db, [delta({ raws: 2, uniques: 1 })])
  const empty = { day: monday, avp: 0, raws: 0, uniques: 0, sales: 0 }
  expect(await readWeeks('totals_week_agent')).toEqual([empty])
  expect(await readWeeks('totals_week_office_avp')).toEqual([empty])

  await addAndFold(db, [delta({ raws: 4 }), delta({ sales: 1, avp_sales: 1 })])
  const sold = { ...empty, avp: 1, sales: 1 }
  expect(await readWeeks('totals_week_agent')).toEqual([sold])
  expect(await readWeeks('totals_week_office_avp')).toEqual([sold])

  await addAndFold(db, [delta({ raws: 8, day: '2026-03-07' })])
  expect(await readWeeks('totals_week_agent')).toEqual([{ ...sold, raws: 8 }])

  await addAndFold(db, [delta({ raws: 16, day: '2026-03-09' })])
  const next = { ...empty, day: '2026-03-09' }
  const closed = { ...sold, raws: 14, uniques: 1 }
  expect(await readWeeks('totals_week_agent')).toEqual([closed, next])
  expect(await readWeeks('totals_week_office_avp')).toEqual([closed, next])
})

test('weeks are read with the clicks of the newest day, by the tier of their agent', async () => {
  const tier = { scheduleFrom: '2026-01-05', payoutCentavos: 0, payoutCents: 0 } as const
  const steps = [
    { ...tier, index: 0, from: 0, to: 0 },
    { ...tier, index: 1, from: 1, to: 1_000 },
  ]
  const readWeek = async (dimensions: Dimension[], index?: number) => {
    const question = {
      range: { start: '2026-03-02', end: '2026-03-08' },
      filter: { ...(index !== undefined && { tier: { index, steps } }) },
      dimensions,
      byDay: false,
    } as const
    const names = ['place', 'raws', 'sales', 'week_avp_sales']
    const { rows } = await sql`
      select place, sum(raws)::integer as raws, sum(sales)::integer as sales, sum(week_avp_sales)::integer as avp
      from ${tieredSource(everything(), question, steps, names)} as weeks
      group by place
      order by place
    `.execute(db)
    return rows
  }
  await addAndFold(db, [delta({ raws: 1, day: '2026-03-05' })])
  await addAndFold(db, [
    delta({ raws: 2 }),
    delta({ sales: 1, avp_sales: 1, agent_id: 2 }),
    delta({ raws: 4, agent_id: 2 }),
    delta({ raws: 8, agent_id: 2, office_id: 2 }),
    delta({ raws: 16, day: '2026-03-01' }),
  ])
  const none = { place: 1, raws: 3, sales: 0, avp: 0 }
  const one = { place: 2, raws: 12, sales: 1, avp: 2 }
  const check = async () => {
    expect(await readWeek(['agent_id', 'office_id'])).toEqual([none, one])
    expect(await readWeek(['agent_id', 'office_id'], 0)).toEqual([none])
    expect(await readWeek(['office_id'], 1)).toEqual([one])
  }
  await check()
  await addAndFold(db, [delta({ raws: 32, day: '2026-03-09' })])
  await check()
})

test.skipIf(isDistributed)('after a rebuild the day of the newest event is open', async () => {
  await buildClick({ clicked_at: '2026-03-07T15:00:00Z', ip: '198.51.100.1' })
  await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '198.51.100.1' })
  await rebuildTotals(db)
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 1 }])
  expect(await verifyTotals(db)).toEqual([])
  await addAndFold(db, [delta({ raws: 2 })])
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 1 }])
  await addAndFold(db, [delta({ raws: 8, day: '2026-03-09' })])
  expect(await readMonths()).toEqual([{ day: '2026-03-01', agent_id: 1, raws: 4 }])
})

test.skipIf(isDistributed)(
  'after a rebuild the newest archived day is open, if nothing came later',
  async () => {
    await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '198.51.100.1' })
    const day = '2026-03-20'
    await owner.db
      .insertInto('click_seals')
      .values({
        month: '2026-03-01',
        day,
        agent_id: 1,
        office_id: 1,
        site_id: 1,
        type_id: 1,
        clicks: 5,
        blacklisted: 0,
        raws: 5,
        uniques: 5,
      })
      .execute()
    try {
      await rebuildTotals(db)
      expect(await db.selectFrom('totals_open_day').select('day').execute()).toEqual([{ day }])
      expect(await verifyTotals(db)).toEqual([])
    } finally {
      await owner.db.deleteFrom('click_seals').execute()
    }
  },
)

test('a second fold counts no detail row twice', async () => {
  await addAndFold(db, [delta({ raws: 1 })])
  await addAndFold(db, [delta({ raws: 1 }), delta({ raws: 1, agent_id: 9 })])

  const row = await db
    .selectFrom('totals_day_office')
    .select('detail_rows')
    .executeTakeFirstOrThrow()
  expect(row.detail_rows).toBe(2)
})

test('concurrent folds lose and double nothing', async () => {
  const adding = Array.from({ length: 20 }, (_, i) =>
    addToTotals(db, [delta({ raws: 1, agent_id: 1 + (i % 3) })]),
  )
  await Promise.all([...adding, foldTotals(db), foldTotals(db), foldTotals(db)])
  await foldTotals(db)

  const { raws } = await db
    .selectFrom('totals_day_office')
    .select((eb) => eb.fn.sum<number>('raws').as('raws'))
    .executeTakeFirstOrThrow()
  expect(raws).toBe(20)
})

test('verification reports totals without events', async () => {
  await addToTotals(db, [delta({ raws: 1 })])

  const differences = await verifyTotals(db)

  expect(differences).toContainEqual({
    level: 'totals_day_agent_type',
    row: '(2026-03-08,1,1,1,1)',
    expected: 'no row',
    actual: '(1,0,0,0,0,0,0,0,0,0)',
  })
})

test('a rebuild makes every level from the events, and verification then finds nothing', async () => {
  await buildClick({ clicked_at: '2026-03-08T04:59:59.999Z', ip: '198.51.100.1' }) // 7 March in New York
  await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '198.51.100.1' })
  await buildClick({ clicked_at: '2026-03-08T06:00:00Z', ip: '198.51.100.1', is_unique: false })
  await buildClick({
    clicked_at: '2026-03-08T07:00:00Z',
    ip: '198.51.100.2',
    uncounted: 'blacklisted',
  })
  await addToTotals(db, [delta({ raws: 77 })])

  await rebuildTotals(db)

  const days = await db
    .selectFrom('totals_day_agent')
    .select(['day', 'raws', 'uniques'])
    .orderBy('day')
    .execute()
  expect(days).toEqual([
    { day: '2026-03-07', raws: 1, uniques: 1 },
    { day: '2026-03-08', raws: 2, uniques: 1 },
  ])
  expect(await verifyTotals(db)).toEqual([])
})

test('verification reports a tier that does not match its sales', async () => {
  await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '198.51.100.1' })
  await rebuildTotals(db)
  await db.updateTable('totals_week_agent').set({ week_avp_sales: 3 }).execute()
  await db.updateTable('totals_week_office_avp').set({ raws: 7 }).execute()
  // Of the open day, which weeks leave out.
  const clicks = isDistributed ? 1 : 0

  expect(await verifyTotals(db)).toEqual([
    {
      level: 'totals_week_agent.week_avp_sales',
      row: '(2026-03-02,1,1)',
      expected: '0',
      actual: '3',
    },
    {
      level: 'totals_week_office_avp',
      row: '(2026-03-02,1,0)',
      expected: 'no row',
      actual: `(7,${clicks},0,0,0,0,0,0,0,0)`,
    },
    {
      level: 'totals_week_office_avp',
      row: '(2026-03-02,1,3)',
      expected: `(${clicks},${clicks},0,0,0,0,0,0,0,0)`,
      actual: 'no row',
    },
  ])
})

test('the migration corrects totals in which reversals counted in their own week', async () => {
  const { agents, offices, types, sites } = await buildHandCountedWorld(db)
  expect(await verifyTotals(db)).toEqual([])
  const ofMaria = {
    agent_id: agents.maria,
    office_id: offices.manila,
    type_id: types.free,
    site_id: sites.alpha,
  }
  const ofCarlo = {
    agent_id: agents.carlo,
    office_id: offices.cebu,
    type_id: types.join,
    site_id: sites.beta,
  }
  await addAndFold(db, [
    { ...ofMaria, day: '2026-03-08', avp_sales: 1 },
    { ...ofMaria, day: '2026-03-10', avp_sales: -1 },
    { ...ofCarlo, day: '2026-03-15', avp_sales: 1 },
    { ...ofCarlo, day: '2026-03-16', avp_sales: -1 },
  ])
  expect(await verifyTotals(db)).not.toEqual([])

  const migration = '../../migrations/0057_reversals_leave_their_week.sql'
  await sql.raw(await readFile(new URL(migration, import.meta.url), 'utf8')).execute(db)
  expect(await verifyTotals(db)).toEqual([])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
})

test('the migration takes the clicks of the open day out of weeks', async () => {
  await buildClick({ clicked_at: '2026-03-07T15:00:00Z', ip: '198.51.100.1' })
  await addAndFold(db, [delta({ raws: 1, uniques: 1, day: '2026-03-07' })])
  await buildClick({ clicked_at: '2026-03-08T15:00:00Z', ip: '198.51.100.2' })
  await addAndFold(db, [delta({ raws: 1, uniques: 1 })])
  expect(await verifyTotals(db)).toEqual([])
  for (const table of ['totals_week_agent', 'totals_week_office_avp'] as const) {
    await db.updateTable(table).set({ raws: 2, uniques: 2 }).execute()
  }
  expect(await verifyTotals(db)).not.toEqual([])

  const migration = '../../migrations/0074_weeks_without_clicks_of_the_open_day.sql'
  await sql.raw(await readFile(new URL(migration, import.meta.url), 'utf8')).execute(db)
  expect(await verifyTotals(db)).toEqual([])
})

test('verification reports a click wrongly marked unique', async () => {
  await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '198.51.100.1' })
  await buildClick({ clicked_at: '2026-03-08T06:00:00Z', ip: '198.51.100.1' })
  await rebuildTotals(db)

  expect(await verifyTotals(db)).toEqual([
    { level: 'unique clicks', row: '(2026-03-08,1,1)', expected: '1', actual: '2' },
  ])
})

test('in a /64, one click is unique; only before that rule, each address was', async () => {
  await buildClick({ clicked_at: '2026-03-08T05:00:00Z', ip: '2001:db8::1' })
  await buildClick({ clicked_at: '2026-03-08T06:00:00Z', ip: '2001:db8::2' })
  await rebuildTotals(db)
  const difference = { level: 'unique clicks', row: '(2026-03-08,1,1)', expected: '1', actual: '2' }
  expect(await verifyTotals(db)).toEqual([difference])

  const since = (day: string) => sql`update counting_rules set from_day = ${day}`.execute(owner.db)
  await since('2026-03-09')
  expect(await verifyTotals(db)).toEqual([])
  await since('2026-03-08')
  expect(await verifyTotals(db)).toEqual([difference])
})

const deltas = anyDelta({ from: '2025-12-20', days: 100 })

property.prop([fc.array(fc.array(deltas, { maxLength: 12 }), { maxLength: 6 })], { numRuns: 25 })(
  'every level holds the sums of all deltas, however they were folded',
  async (batches) => {
    await clearTotals(db)
    for (const batch of batches) await addAndFold(db, batch)
    const weekOf = ({ day, agent_id }: TotalsDelta) => `${periodOf(day, 'week').start} ${agent_id}`
    const avpOfWeeks = new Map<string, number>()
    const openDay = batches
      .flat()
      .map(({ day }) => day)
      .toSorted()
      .at(-1)
    for (const row of batches.flat()) {
      avpOfWeeks.set(weekOf(row), (avpOfWeeks.get(weekOf(row)) ?? 0) + row.avp_sales)
    }
    for (const level of LEVELS) {
      const expected = new Map<string, number[]>()
      for (const row of batches.flat()) {
        if (row.day === openDay && !hasOpenDay(level.unit)) continue
        const day = periodOf(row.day, level.unit).start
        const key = [
          day,
          ...level.dimensions.map(
            (column) => ({ ...row, week_avp_sales: avpOfWeeks.get(weekOf(row)) })[column],
          ),
        ].join(' ')
        const [raws = 0, sales = 0, payout = 0] = expected.get(key) ?? []
        const isLeftOut = level.unit === 'week' && row.day === openDay
        expected.set(key, [
          raws + (isLeftOut ? 0 : row.raws),
          sales + row.sales,
          payout + row.payout_centavos,
        ])
      }
      const stored = await db.selectFrom(level.table).selectAll().execute()
      const actual = stored.map((row) => [
        [
          row.day,
          ...level.dimensions.map((column) => (row as Record<string, unknown>)[column]),
        ].join(' '), // every level has its own columns
        [row.raws, row.sales, row.payout_centavos],
      ])
      expect(new Map(actual as [string, number[]][])).toEqual(expected)
    }
    const agentWeeks = await db.selectFrom('totals_week_agent').selectAll().execute()
    for (const row of agentWeeks) {
      expect(row.week_avp_sales).toBe(avpOfWeeks.get(weekOf({ ...row, site_id: 1, type_id: 1 })))
    }
  },
)

test('the coarsest level that has the columns is chosen', () => {
  expect(coarsestLevel([], 'day').table).toBe('totals_day_office')
  expect(coarsestLevel(['office_id'], 'month').table).toBe('totals_month_office')
  expect(coarsestLevel(['site_id'], 'day').table).toBe('totals_day_office_type')
  expect(coarsestLevel(['agent_id', 'office_id'], 'month').table).toBe('totals_month_agent')
  expect(coarsestLevel(['agent_id', 'type_id'], 'day').table).toBe('totals_day_agent_type')
})

let nonce = 0

function buildClick(click: {
  clicked_at: string
  ip: string
  is_unique?: boolean
  uncounted?: 'blacklisted'
}) {
  return db
    .insertInto('clicks')
    .values({
      agent_id: 1,
      type_id: 1,
      office_id: 1,
      nonce: nonce++,
      is_unique: click.uncounted === undefined,
      ...click,
    })
    .execute()
}
