import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { explainRequestSchema } from '@tallyroom/contract/figures/explain'
import {
  avpCriteriaSchema,
  payrollCriteriaSchema,
  statsCriteriaSchema,
  type StatsRow,
} from '@tallyroom/contract/figures/statistics'
import { MOST_CLICKS_BY_SUB, MOST_SUB_ROWS } from '@tallyroom/contract/sub-ids'
import { type ClickIdFields, decodeClickId, encodeClickId } from '@tallyroom/domain/click-id'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildClick } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, emptyTables, ownLayout, testDatabase } from '../../../test/database.ts'
import { buildTwoOffices } from '../../../test/two-office-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import { movingClock } from '../../lib/clock.ts'
import { joinClick, rebuildTotals } from '../../totals/index.ts'
import { archiveClicks } from '../../tracking/archive/archive-clicks.ts'
import { ensurePartitions } from '../../tracking/clicks/partitions.queries.ts'
import { explain } from './explain.ts'
import { statsReport } from './report.ts'

const database = await testDatabase({ layout: ownLayout() })
const { db, connection } = database
const databases = databasesAt(db, '2026-03-20T12:00:00Z')
const owner = openDatabase(connection, { max: 2, applicationName: 'test', asOwner: true })
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
afterAll(async () => {
  await owner.close()
  await rm(folder, { recursive: true })
})
const world = await buildTwoOffices(db)
const [manila, cebu] = world.offices
const [milo, zoe] = world.agents
const [avpType, , plainType] = world.types
await db
  .updateTable('options')
  .set({ value: '1' })
  .where('name', 'in', ['payout_visible', 'lpp_visible'])
  .execute()

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
const agent = viewer({ role: 'agent', officeId: manila, agentId: milo })
const everyone = [superadmin, office, agent]

type Made = ClickIdFields & { officeId: number }

/** A click with its sub ids, in order. */
async function click(
  subs: (string | null)[] | null,
  at: string,
  values: { agent_id?: number; office_id?: number; is_unique?: boolean; uncounted?: string } = {},
): Promise<Made> {
  const { agent_id = milo, office_id = manila, is_unique = true, uncounted } = values
  const made = await buildClick(db, {
    agent_id,
    office_id,
    is_unique,
    type_id: avpType.type_id,
    clicked_at: new Date(at),
    ip: `198.51.${randomInt(256)}.${randomInt(256)}`,
    subs: subs as string[] | null, // the driver takes nulls in it
    ...(uncounted !== undefined && { uncounted }),
  })
  return { ...made, officeId: office_id }
}

/** A sale of a click, or with `reverses` what takes it back. Returns its id. */
async function sale(
  { officeId, ...fields }: Made,
  at: string,
  values: { event_type?: number; reverses?: string; of?: (typeof world.types)[number] } = {},
): Promise<string> {
  const { event_type = 0, reverses, of = avpType } = values
  const quantity = reverses === undefined ? 1 : -1
  const id = randomUUID()
  await db
    .insertInto('sale_events')
    .values({
      id,
      agent_id: fields.agentId,
      office_id: officeId,
      site_id: of.site_id,
      type_id: of.type_id,
      occurred_at: new Date(at),
      recorded_at: new Date(at),
      event_type,
      quantity,
      earning_cents: quantity * 25_00,
      payout_centavos: quantity * 500_00,
      lpp: quantity,
      avp: of.avp,
      rate_source: 'default',
      fraud: false,
      click_id: encodeClickId(fields, randomInt(2 ** 36)),
      ...(reverses !== undefined && { reverses, reversal: 'void' }),
    })
    .execute()
  return id
}

beforeEach(async () => {
  await emptyTables(connection, ['clicks', 'sale_events', 'click_seals', 'click_archives'])
  await rebuildTotals(owner.db)
})

const march = { start: '2026-03-01', end: '2026-03-31' }

const ask = (who: Viewer, criteria: object) =>
  statsReport(
    databases,
    who,
    'sites',
    statsCriteriaSchema.parse({ ...march, pageSize: 500, ...criteria }),
  )

/** What a row is about, then raws, uniques, sales, bonuses. */
const shown = ({ subRow, subId, raws, uniques, sales, bonusSales }: StatsRow) =>
  `${subId ?? `(${subRow})`}: ${raws} ${uniques} ${sales} ${bonusSales}`

async function rowsOf(who: Viewer, criteria: object): Promise<string[]> {
  return (await ask(who, criteria)).page.items.map(shown)
}

test('a row for each exact value, most sales first, and one for clicks without any', async () => {
  const first = await click(['Post', null, 'x'], '2026-03-02T15:00:00Z')
  await click(['post', null, 'x'], '2026-03-02T16:00:00Z', { is_unique: false })
  await click(['post'], '2026-03-03T15:00:00Z')
  await click(['post 2'], '2026-03-03T16:00:00Z')
  await click(null, '2026-03-04T15:00:00Z')
  await click([null, 'y'], '2026-03-04T16:00:00Z')
  // With a note, which is no sub id.
  await click([null, null, null, null, null, 'page elsewhere'], '2026-03-04T16:30:00Z')
  await click(['post'], '2026-03-04T17:00:00Z', { uncounted: 'blacklisted', is_unique: false })
  const sold = await sale(first, '2026-03-05T15:00:00Z')
  await sale(first, '2026-03-06T15:00:00Z', { event_type: 1 })
  await sale(first, '2026-03-07T15:00:00Z', { of: plainType })
  await sale(first, '2026-03-08T15:00:00Z', { reverses: sold })
  await rebuildTotals(owner.db)

  const expected = ['Post: 1 1 1 1', '(none): 3 3 0 0', 'post: 2 1 0 0', 'post 2: 1 1 0 0']
  for (const who of everyone) {
    const { page, overall } = await ask(who, { groupBy: 'sub1' })
    expect(page.items.map(shown).toSorted()).toEqual(expected.toSorted())
    expect(page.items[0]).toMatchObject({ subRow: 'value', subId: 'Post', payout: 500 })
    expect(page.total).toBe(4)
    expect(overall).toEqual((await ask(who, { groupBy: 'date' })).overall)
  }
  expect(await rowsOf(agent, { groupBy: 'sub3', sortField: 'subId' })).toEqual([
    'x: 2 1 1 1',
    '(none): 5 5 0 0',
  ])
  expect(await rowsOf(agent, { groupBy: 'sub5' })).toEqual(['(none): 7 6 1 1'])
})

test('a sale counts on its own day, with the sub id of an older click', async () => {
  const old = await click(['post'], '2025-12-20T15:00:00Z')
  await sale(old, '2026-03-05T15:00:00Z')
  await rebuildTotals(owner.db)
  expect(await rowsOf(agent, { groupBy: 'sub1' })).toEqual(['post: 0 0 1 0'])
})

test('a filter narrows every view, total, comparison and explanation to a value, or to clicks without', async () => {
  const post = await click(['post'], '2026-03-02T15:00:00Z')
  const none = await click([null, 'y'], '2026-03-03T15:00:00Z')
  const other = await click(['post'], '2026-03-03T15:00:00Z', { agent_id: zoe, office_id: cebu })
  await click(['post'], '2026-02-10T15:00:00Z')
  await sale(post, '2026-03-05T15:00:00Z')
  await sale(none, '2026-03-05T16:00:00Z')
  await sale(other, '2026-03-05T17:00:00Z')
  await rebuildTotals(owner.db)
  const only = { sub: 'sub1', subId: 'post' }
  for (const groupBy of ['date', 'company', 'agent', 'detail', 'type', 'sub2'] as const) {
    const { page, overall } = await ask(superadmin, { ...only, groupBy })
    expect(overall).toMatchObject({ raws: 2, sales: 2, payout: 1000 })
    expect(page.items.reduce((sum, { sales }) => sum + sales, 0)).toBe(2)
    expect(page.total).toBe(page.items.length)
  }
  const compared = { ...only, compare: 'previous', points: true }
  const answer = await ask(agent, compared)
  expect(answer).toMatchObject({ overall: { raws: 1 }, compared: { overall: { raws: 1 } } })
  expect(answer.points?.items.reduce((sum, { now }) => sum + (now?.raws ?? 0), 0)).toBe(1)
  expect((await ask(agent, { sub: 'sub1' })).overall).toMatchObject({ raws: 1, sales: 1 })
  expect((await ask(agent, { sub: 'sub1', subId: 'Post' })).overall).toMatchObject({ raws: 0 })

  for (const [who, criteria, figure] of [
    [superadmin, only, 2],
    [office, only, 1],
    [agent, { sub: 'sub1' }, 1],
  ] as const) {
    const request = { report: 'sites', column: 'sales', ...march, ...criteria }
    const explained = await explain(databases, who, explainRequestSchema.parse(request))
    expect(explained).toMatchObject({ figure, sum: figure, parts: { total: figure } })
  }
})

test('Sites AVP has sub ids, with and without a tier, and the payrolls refuse them', async () => {
  await sale(await click(['post'], '2026-03-03T15:00:00Z'), '2026-03-05T15:00:00Z')
  await db
    .insertInto('avp_tiers')
    .values(
      [0, 1].map((index) => ({
        index,
        from_sales: index,
        to_sales: index === 0 ? 0 : 1000,
        valid_from: '2026-01-05',
        payout_centavos: 100,
        payout_cents: 10,
      })),
    )
    .execute()
  await rebuildTotals(owner.db)
  const week = { start: '2026-03-02', end: '2026-03-08' }
  const avp = async (criteria: object) => {
    const asked = avpCriteriaSchema.parse({ ...week, ...criteria })
    return (await statsReport(databases, superadmin, 'avp', asked)).page.items
  }
  expect(await avp({ groupBy: 'sub1' })).toMatchObject([{ subId: 'post', raws: 1, avpSales: 1 }])
  expect(await avp({ groupBy: 'sub1', avp: 1 })).toMatchObject([{ subId: 'post', avpSales: 1 }])
  expect(await avp({ groupBy: 'sub1', avp: 0 })).toEqual([])
  expect(await avp({ groupBy: 'agent', sub: 'sub1', subId: 'post' })).toMatchObject([
    { agentId: milo, avpSales: 1, avpPeriod: { index: 1 } },
  ])
  expect(payrollCriteriaSchema.safeParse({ ...week, sub: 'sub1' }).success).toBe(false)
  const payroll = payrollCriteriaSchema.parse({ ...week, groupBy: 'sub1', sub: null })
  await expect(statsReport(databases, superadmin, 'payroll', payroll)).rejects.toMatchObject({
    data: { groupBy: ['is not one of your views'] },
  })
  await db.deleteFrom('avp_tiers').execute()
})

test('figures of a sub id can be sorted by points before and by tiers, which the others have no part in', async () => {
  const weeks = { start: '2026-03-09', end: '2026-03-15' }
  const points = async (criteria: object) => {
    const asked = statsCriteriaSchema.parse({ ...weeks, sub: 'sub1', subId: 'post', ...criteria })
    const { page, overall } = await statsReport(databases, superadmin, 'sites', asked)
    return { rows: page.items.map(({ lpp, lppPrev }) => [lpp, lppPrev]), overall }
  }
  const zoes = { agent_id: zoe, office_id: cebu }
  const one = await click(['post'], '2026-03-03T15:00:00Z')
  await sale(one, '2026-03-03T16:00:00Z')
  await sale(one, '2026-03-03T17:00:00Z')
  await sale(one, '2026-03-10T16:00:00Z')
  const two = await click(['post'], '2026-03-10T15:00:00Z', zoes)
  await sale(two, '2026-03-10T16:00:00Z')
  await sale(two, '2026-03-10T17:00:00Z')
  await sale(await click(['else'], '2026-03-03T15:00:00Z', zoes), '2026-03-03T16:00:00Z')
  await rebuildTotals(owner.db)
  for (const groupBy of ['agent', 'detail', 'company'] as const) {
    const { rows, overall } = await points({ groupBy, sortField: 'lppPrev', sortAsc: false })
    expect(rows).toEqual([
      [1, 2],
      [2, 0],
    ])
    expect(overall).toMatchObject({ lpp: 3, lpp_prev: 2 })
  }
  // Who has no row now has no points before.
  const later = { start: '2026-03-16', end: '2026-03-22' }
  await click(['post'], '2026-03-17T15:00:00Z', zoes)
  await rebuildTotals(owner.db)
  expect((await points({ ...later, groupBy: 'agent' })).overall).toMatchObject({ lpp_prev: 2 })

  await db
    .insertInto('avp_tiers')
    .values(
      [0, 1, 2].map((index) => ({
        index,
        from_sales: index,
        to_sales: index === 2 ? 1000 : index,
        valid_from: '2026-01-05',
        payout_centavos: 100,
        payout_cents: 10,
      })),
    )
    .execute()
  for (const groupBy of ['agent', 'detail'] as const) {
    for (const sortField of ['avpPeriod', 'agent_avp_sales_count'] as const) {
      const criteria = { ...weeks, sub: 'sub1', subId: 'post', groupBy, sortField, sortAsc: false }
      const asked = avpCriteriaSchema.parse(criteria)
      const { page } = await statsReport(databases, superadmin, 'avp', asked)
      expect(page.items.map(({ agentId, avpPeriod }) => [agentId, avpPeriod?.index])).toEqual([
        [zoe, 2],
        [milo, 1],
      ])
    }
  }
  await db.deleteFrom('avp_tiers').execute()
})

test('a token reads sub ids if it may read logs', async () => {
  const token = (...may: ('figures' | 'logs')[]): Viewer => ({
    ...superadmin,
    token: { id: 1, name: 'reports', may },
  })
  const refused = { message: 'This token may not make this call: it lacks “Read logs”.' }
  const asked = { report: 'sites', column: 'sales', ...march, sub: 'sub1', subId: 'post' }
  const why = explainRequestSchema.parse(asked)
  const both = token('figures', 'logs')
  for (const criteria of [{ groupBy: 'sub1' }, { sub: 'sub1' }]) {
    await expect(ask(token('figures'), criteria)).rejects.toMatchObject(refused)
    await ask(both, criteria)
  }
  await expect(explain(databases, token('figures'), why)).rejects.toMatchObject(refused)
  await explain(databases, both, why)
  await ask(token('figures'), { groupBy: 'date' })
})

test('nobody sees the values of others', async () => {
  await click(['mine'], '2026-03-02T15:00:00Z')
  await click(['theirs'], '2026-03-02T15:00:00Z', { agent_id: zoe, office_id: cebu })
  // Zoe has worked for both.
  await click(['then'], '2026-03-03T15:00:00Z', { agent_id: zoe })
  await rebuildTotals(owner.db)
  const valuesOf = async (who: Viewer, criteria = {}) =>
    (await rowsOf(who, { groupBy: 'sub1', ...criteria }))
      .map((row) => row.split(':')[0] ?? '')
      .toSorted()
  expect(await valuesOf(superadmin)).toEqual(['mine', 'theirs', 'then'])
  expect(await valuesOf(superadmin, { companyId: manila })).toEqual(['mine', 'then'])
  expect(await valuesOf(superadmin, { agentId: zoe })).toEqual(['theirs', 'then'])
  expect(await valuesOf(office)).toEqual(['mine', 'then'])
  expect(await valuesOf(agent)).toEqual(['mine'])
  expect(await valuesOf(agent, { agentId: zoe })).toEqual([])
  expect((await ask(agent, { sub: 'sub1', subId: 'theirs' })).overall).toMatchObject({ raws: 0 })
})

test(`beyond ${MOST_SUB_ROWS} values, those with the fewest sales and clicks share a row`, async () => {
  for (let at = 0; at < MOST_SUB_ROWS + 3; at += 500) {
    await db
      .insertInto('clicks')
      .values(
        Array.from({ length: Math.min(500, MOST_SUB_ROWS + 3 - at) }, (_, index) => ({
          agent_id: milo,
          office_id: manila,
          type_id: avpType.type_id,
          clicked_at: new Date(Date.UTC(2026, 2, 2, 15, 0, 0, at + index)),
          nonce: at + index,
          is_unique: true,
          ip: `10.0.${(at + index) >> 8}.${(at + index) & 255}`,
          subs: [`post ${String(at + index).padStart(5, '0')}`],
        })),
      )
      .execute()
  }
  await sale(await click(['zz sold'], '2026-03-03T15:00:00Z'), '2026-03-05T15:00:00Z')
  await rebuildTotals(owner.db)
  const { page, overall } = await ask(agent, { groupBy: 'sub1', pageSize: 2 })
  expect(page.total).toBe(MOST_SUB_ROWS + 1)
  expect(page.items[0]).toMatchObject({ subId: 'zz sold', sales: 1 })
  expect(overall).toMatchObject({ raws: MOST_SUB_ROWS + 4, sales: 1 })
  const [others] = (await ask(agent, { groupBy: 'sub1', sortField: 'raws', sortAsc: false })).page
    .items
  expect(others).toMatchObject({ subRow: 'others', otherSubIds: 4, raws: 4 })
  expect(others).not.toHaveProperty('subId')
})

test('days with too many clicks are refused with the first day that can be asked', async () => {
  const of = { agent_id: milo, office_id: manila, ...avpType, uniques: 0 }
  const { avp: _, ...delta } = of
  await addToTotals(db, [
    { ...delta, day: '2026-03-02', raws: 10 },
    { ...delta, day: '2026-03-05', raws: MOST_CLICKS_BY_SUB - 5 },
    { ...delta, day: '2026-03-09', raws: 5 },
  ])
  const refused = {
    data: {
      start: [
        'Sub ids are read from up to 500,000 clicks at once, and these days have 500,010. Start on 2026-03-05 or later, or choose an agent.',
      ],
    },
  }
  await expect(ask(agent, { groupBy: 'sub1' })).rejects.toMatchObject(refused)
  await expect(ask(agent, { sub: 'sub2' })).rejects.toMatchObject(refused)
  await ask(agent, { groupBy: 'sub1', start: '2026-03-05' })
  await ask(viewer({ role: 'agent', officeId: cebu, agentId: zoe }), { groupBy: 'sub1' })
  // The days before would be refused, so there is nothing to compare with.
  const days = { start: '2026-03-10', end: '2026-03-19', sub: 'sub1', compare: 'previous' }
  await addToTotals(db, [{ ...delta, day: '2026-03-09', raws: 1 }])
  expect(await ask(agent, days)).not.toHaveProperty('compared')
})

test('archived clicks stay in the sum, in a row of their own with their sales', async () => {
  await ensurePartitions(owner.db, movingClock('2026-03-01T15:00:00Z'), { from: '2025-12-01' })
  const old = await click(['post'], '2025-12-20T15:00:00Z')
  await click(['post'], '2026-01-20T15:00:00Z')
  await sale(old, '2026-01-05T15:00:00Z')
  await rebuildTotals(owner.db)
  const winter = { start: '2025-12-01', end: '2026-01-31' }
  expect(await rowsOf(agent, { ...winter, groupBy: 'sub1' })).toEqual(['post: 2 2 1 0'])
  await archiveClicks(
    { ...database, db: owner.db, clock: movingClock('2026-03-20T12:00:00Z'), folder },
    { before: '2026-01-01' },
  )

  for (const who of everyone) {
    const { page, overall } = await ask(who, { ...winter, groupBy: 'sub1' })
    expect(page.items.map(shown)).toEqual(['(unknown): 1 1 1 0', 'post: 1 1 0 0'])
    expect(overall).toEqual((await ask(who, { ...winter, groupBy: 'date' })).overall)
  }
  expect((await ask(agent, { ...winter, sub: 'sub1' })).overall).toMatchObject({
    raws: 0,
    sales: 0,
  })
})

const anySubs = fc.option(
  fc.array(fc.constantFrom(null, 'Post', 'post', 'post ', '%', '{}'), { maxLength: 5 }),
)
const moment = fc.integer({ min: 0, max: 60 * 24 * 40 }).map((minutes) => {
  return new Date(Date.UTC(2026, 1, 10) + minutes * 60_000).toISOString()
})
const history = fc.array(
  fc.record({
    subs: anySubs,
    at: moment,
    agent_id: fc.constantFrom(...world.agents),
    office_id: fc.constantFrom(...world.offices),
    is_unique: fc.boolean(),
    isCounted: fc.boolean(),
    /** When its sales came, and whether each was taken back. */
    sales: fc.array(fc.record({ at: moment, back: fc.option(moment), type: fc.nat({ max: 2 }) }), {
      maxLength: 2,
    }),
    bonus: fc.boolean(),
  }),
  { minLength: 1, maxLength: 15 },
)

property.prop([history, moment, moment, fc.constantFrom(...world.agents)], {
  numRuns: 6,
  endOnFailure: true,
})(
  'whatever happened, the rows of each sub id add up to the total of other views, for everybody',
  async (deeds, one, another, removed) => {
    await emptyTables(connection, ['clicks', 'sale_events'])
    for (const { subs, at, sales, isCounted, bonus, ...whose } of deeds) {
      const made = await click(subs, at, {
        ...whose,
        is_unique: whose.is_unique && isCounted,
        ...(!isCounted && { uncounted: 'blacklisted' }),
      })
      for (const { at: soldAt, back, type } of sales) {
        const of = world.types[type] ?? avpType
        const reverses = await sale(made, soldAt, { of, event_type: bonus ? 1 : 0 })
        if (back !== null) await sale(made, back, { of, event_type: bonus ? 1 : 0, reverses })
      }
    }
    await rebuildTotals(owner.db)
    const [start = '', end = ''] = [one, another].map((instant) => instant.slice(0, 10)).toSorted()
    const compare = async () => {
      for (const [who, filter] of [
        [superadmin, {}],
        [superadmin, { siteId: world.sites[0], agentId: milo }],
        [superadmin, { companyId: cebu }],
        [office, {}],
        [agent, {}],
      ] as const) {
        const other = await ask(who, { start, end, ...filter, groupBy: 'detail' })
        for (const groupBy of SUB_NAMES) {
          const { page, overall } = await ask(who, { start, end, ...filter, groupBy })
          for (const [name, sum] of Object.entries(other.overall)) {
            if (name === 'bonusRatio' || name.startsWith('lpp')) continue
            const column = { earning: 'earn', bonusEarning: 'bonusEarn' }[name] ?? name
            expect(overall).toHaveProperty([name], sum)
            const added = page.items.reduce(
              (total, row) => total + Number(row[column as keyof StatsRow]),
              0,
            )
            expect(added).toBeCloseTo(Number(sum), 6)
          }
        }
      }
    }
    await compare()
    for (const table of ['clicks', 'sale_events'] as const) {
      await owner.db.deleteFrom(table).where('agent_id', '=', removed).execute()
    }
    await rebuildTotals(owner.db)
    await compare()
  },
  600_000,
)

test('SQL reads time and nonce of a click id as the app does', async () => {
  const fields = [
    { clickedAtMs: 0, agentId: 1, typeId: 1, nonce: 0 },
    { clickedAtMs: 2 ** 44 - 1, agentId: 2, typeId: 2 ** 24 - 1, nonce: 2 ** 25 - 1 },
    ...Array.from({ length: 50 }, (_, index) => ({
      clickedAtMs: Date.UTC(2026, 2, 1) + randomInt(2 ** 31),
      agentId: 3 + index,
      typeId: randomInt(1, 2 ** 24),
      nonce: randomInt(2 ** 25),
    })),
  ]
  await db
    .insertInto('clicks')
    .values(
      fields.map(({ clickedAtMs, agentId, typeId, nonce }) => ({
        clicked_at: new Date(clickedAtMs),
        agent_id: agentId,
        type_id: typeId,
        office_id: 1,
        nonce,
        is_unique: true,
        ip: '192.0.2.1',
      })),
    )
    .execute()
  const ids = fields.map((one) => encodeClickId(one, randomInt(2 ** 36)))
  const { rows } = await sql<{ found: number | null }>`
    select click.nonce as found
    from (
      select unnest(${ids}::text[]) as click_id, unnest(${fields.map(({ agentId }) => agentId)}::integer[]) as agent_id
    ) as event ${joinClick('event')}
    order by event.agent_id
  `.execute(db)
  expect(rows.map(({ found }) => found)).toEqual(ids.map((id) => decodeClickId(id)?.nonce))
})
