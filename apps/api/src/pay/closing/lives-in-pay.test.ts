import { statementContentSchema } from '@tallyroom/contract/pay/statements/statement'
import { rateBackdatingEndpoints } from '@tallyroom/contract/pay/backdating/backdating'
import {
  type StatementLine,
  statementLinesEndpoints,
} from '@tallyroom/contract/pay/bookings/statement-lines'
import { statementSections } from '@tallyroom/contract/pay/statements/statement-sections'
import { explainEndpoints } from '@tallyroom/contract/figures/explain'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { execute } from '../../../test/test-server.ts'
import { verifyWorld } from '../../../test/verify-world.ts'
import { foldTotals, LEVELS, verifyTotals } from '../../totals/index.ts'
import { rateBackdatingRoutes } from '../backdating/rate-backdating.routes.ts'
import { statisticsRoutes } from '../../figures/statistics/statistics.routes.ts'
import { findTierPay } from '../bookings/sale-pay.ts'
import { payRoutes } from '../pay.routes.ts'
import { postbacksRoutes } from '../../tracking/index.ts'
import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'

const { db, connection, clock, services, inbound, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes([
  ...payRoutes(services),
  ...rateBackdatingRoutes(services),
  ...statisticsRoutes(services),
  ...postbacksRoutes(services, inbound, findTierPay),
])
const { previewBackdating, backdateRate, undoBackdating } = rateBackdatingEndpoints
const superadmin = viewer()

const SALES = ['sale_keys', 'postbacks', 'postback_settlements', 'held_postbacks', 'site_keys']

beforeEach(() => emptyTables(connection, [...SALES, ...PAY_TABLES, ...TOTALS]))

const TOTALS = ['totals_pending', 'totals_open_day', ...LEVELS.map(({ table }) => table)]

type PayWorld = Awaited<ReturnType<typeof buildPayWorld>>

/** A merchant who reports an order piece by piece, at noon in New York of each day. The sale pays ₱500.00. */
async function shop({ agents, offices }: PayWorld, site: Parameters<typeof merchant>[0] = {}) {
  clock.set('2026-02-01T06:00:00Z')
  const made = await merchant({ part_rule: 'in-proportion', ...site })
  const clickOf = (of: { agent_id: number; office_id: number }) =>
    made.click({
      ...of,
      clicked_at: new Date('2026-02-01T06:00:00Z'),
      // Written without totals, so it must not count.
      uncounted: 'too many',
    })
  const click = () => clickOf({ agent_id: agents.maria, office_id: offices.manila })
  const cid = await click()
  const report = async (day: string, event: string, fields: Record<string, string> = {}) => {
    const time = `${day}T17:00:00Z`
    clock.set(`${day}T18:00:00Z`)
    const answer = await made.get({ cid, tid: 'A', event, time, ...fields })
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  }
  const net = async () =>
    (await eventsOf(made.siteId)).reduce((sum, event) => sum + event.payout_centavos, 0)
  return { ...made, click, clickOf, report, net }
}

/** The statement of the office for a period, whose lines all lead to bookings that add up. */
async function statementOf(number: string) {
  const { id, content } = await db
    .selectFrom('statements')
    .select(['id', 'content'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  const statement = statementContentSchema.parse(JSON.parse(content.toString()))
  const rows = statementSections(statement).flatMap((section) => section.rows)
  const lines = []
  for (const { key, amount, note } of rows) {
    const params = { params: { id }, query: { key } }
    const { status, body } = await call(superadmin, statementLinesEndpoints.statementLine, params)
    expect([status, body.amount, body.sum]).toEqual([200, amount, amount])
    const { events }: StatementLine = body
    lines.push([note, events.map(({ quantity, isPart }) => (isPart ? 'part' : quantity))])
  }
  return { ...statement, opened: lines }
}

async function backdate(rate: { typeId: number; from: string; payout: number }) {
  const asked = { companyId: null, ...rate }
  const preview = await call(superadmin, previewBackdating, { body: asked })
  const { version } = preview.body
  const body = { ...asked, reason: 'Agreed', version, requestId: randomUUID() }
  const done = await call(superadmin, backdateRate, { body })
  expect([done.status, done.body.payout]).toEqual([200, preview.body.payout])
  return done.body
}

const verified = async () => {
  expect(await verifyTotals(db)).toEqual([])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
  expect((await verifyWorld(db)).findings).toEqual([])
}

test('a sale that is voided, counted again, refunded in part and repriced is paid to the centavo', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { typeId, report, net } = await shop(pay)
  await report('2026-02-03', 'sale', { amount: '40.00' })
  await pay.close('2026-02-A', '2026-02-16')
  expect(await statementOf('2026-02-A-0001')).toMatchObject({
    lines: [{ sales: 1, reversals: 0, rateCentavos: 500_00, centavos: 500_00 }],
    amount: 500_00,
  })

  await report('2026-02-17', 'void')
  await report('2026-02-18', 'sale')
  await report('2026-02-19', 'void', { amount: '10.00' }) // a quarter
  // Of ₱450.01, three quarters are ₱337.51: the quarter of ₱112.5025 is rounded.
  const backdated = await backdate({ typeId, from: '2026-02-01', payout: 450.01 })
  expect(backdated).toMatchObject({ sales: 1, payout: -37.49 })
  expect(await net()).toBe(337_51)
  await pay.close('2026-02-B', '2026-03-02')
  const second = await statementOf('2026-02-B-0001')
  expect(second).toMatchObject({
    lines: [
      { parts: 1, sales: 0, rateCentavos: -125_00, centavos: -125_00 },
      { differences: 1, sales: 0, rateCentavos: -37_49, centavos: -37_49 },
      { sales: 1, reversals: 1, rateCentavos: 500_00, centavos: 0 },
    ],
    late: [],
    amount: -162_49,
  })
  expect(second.lines[0]).not.toHaveProperty('differences')
  expect(second.opened).toEqual([
    ['Refunded parts of sales: 1', ['part']],
    ['Differences from backdated rates: 1', [0]],
    ['', [1, -1]],
  ])
  await verified()

  clock.set('2026-03-05T18:00:00Z')
  await call(superadmin, undoBackdating, {
    params: { id: backdated.id },
    body: { reason: 'By mistake' },
  })
  expect(await net()).toBe(375_00)
  await report('2026-03-06', 'chargeback')
  expect(await net()).toBe(0)
  await pay.close('2026-03-A', '2026-03-16')
  expect(await statementOf('2026-03-A-0001')).toMatchObject({
    lines: [{ sales: 0, reversals: 1, rateCentavos: 375_00, centavos: -375_00 }],
    late: [{ name: '2026-02-B', lines: [{ differences: 1, rateCentavos: 37_49 }] }],
    amount: -337_51,
  })
  await verified()
})

test('a sale that counts again stays in the week of its sale, and the refund of a part takes no tier', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { report, get, click } = await shop(pay, { avp: true })
  for (const tid of ['B', 'C']) {
    clock.set('2026-02-04T18:00:00Z')
    await get({ cid: await click(), tid, event: 'sale', time: '2026-02-04T17:00:00Z' })
  }
  await report('2026-02-03', 'sale', { amount: '40.00' })
  await report('2026-02-05', 'void')
  await report('2026-02-10', 'sale')
  await report('2026-02-11', 'void', { amount: '10.00' })
  await pay.close('2026-02-A', '2026-02-16')
  // Three sales of the week pay ₱20.00 each. The part is of a rate that pays nothing.
  expect(await statementOf('2026-02-A-0001')).toMatchObject({
    tiers: [{ week: '2026-02-02', sales: 3, paidSales: 3, tier: 2, centavos: 60_00 }],
    amount: 60_00,
  })
  // Two pay ₱10.00 each, less the ₱60.00 that were paid.
  await report('2026-02-18', 'void')
  await pay.close('2026-02-B', '2026-03-02')
  expect(await statementOf('2026-02-B-0001')).toMatchObject({
    tiers: [{ week: '2026-02-02', sales: 2, centavos: -40_00 }],
    amount: -40_00,
  })
  await verified()
})

test('rates that were backdated while a sale was reversed price it when it counts again; three thirds are the whole', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { siteId, typeId, report, net } = await shop(pay)
  await report('2026-02-03', 'sale', { amount: '0.30' })
  await report('2026-02-04', 'void')
  const { sales } = await backdate({ typeId, from: '2026-02-01', payout: 100.01 })
  expect(sales).toBe(0)
  expect(await net()).toBe(0)
  await report('2026-02-05', 'sale')
  expect(await net()).toBe(100_01)
  // 333,333 millionths of ₱100.01 are ₱33.34, twice that ₱66.67, and the third is the rest.
  for (const [day, left] of [
    ['06', 66_67],
    ['07', 33_34],
    ['08', 0],
  ] as const) {
    await report(`2026-02-${day}`, 'void', { amount: '0.10' })
    expect(await net()).toBe(left)
  }
  expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, -1, 1, 0, 0, -1])
  expect(await verifyTotals(db)).toEqual([])
})

test('an explanation of a figure names the refund of a part and what counts again', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { siteId, report } = await shop(pay)
  await report('2026-02-03', 'sale', { amount: '40.00' })
  await report('2026-02-04', 'void')
  await report('2026-02-05', 'sale')
  await report('2026-02-06', 'void', { amount: '10.00' })
  const body = {
    report: 'sites',
    column: 'payout',
    start: '2026-02-01',
    end: '2026-02-28',
    siteId,
  }
  const { status, body: explained } = await call(superadmin, explainEndpoints.explain, { body })
  expect(status).toBe(200)
  expect(explained).toMatchObject({
    groups: [
      { sales: 2, reversals: 1, rate: 500, sum: 500 },
      { parts: 1, sales: 0, rate: -125, sum: -125 },
    ],
    parts: {
      items: [
        { partPercent: 25, amount: -125 },
        { isRestored: true, amount: 500 },
        { reversal: 'void', amount: -500 },
        { amount: 500 },
      ],
    },
  })
})

test('pay verify names a restored sale whose amount is not that of its rate', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { report } = await shop(pay)
  await report('2026-02-03', 'sale')
  await report('2026-02-04', 'void')
  await report('2026-02-05', 'sale')
  expect((await verifyWorld(db)).findings).toEqual([])
  const tampered = 'update sale_events set payout_centavos = 60000 where restores is not null'
  await execute(connection, tampered)
  expect((await verifyWorld(db)).findings).toEqual([
    expect.stringMatching(/differs from the rate \d+, which priced it/),
  ])
})

test('an order that staff give to another click after its period was paid moves with the next statements', async () => {
  const pay = await buildPayWorld(services, { avp: 'instead' })
  const { get, clickOf, report, net } = await shop(pay)
  await report('2026-02-03', 'sale')
  const other = await clickOf({ agent_id: pay.agents.noel, office_id: pay.offices.cebu })
  await pay.close('2026-02-A', '2026-02-16')
  clock.set('2026-02-17T18:00:00Z')
  const time = '2026-02-04T17:00:00Z'
  const held = (await get({ cid: other, tid: 'A', event: 'sale', time })).json<{ id: string }>()

  clock.set('2026-02-18T18:00:00Z')
  const body = { ids: [held.id], act: 'take-this', reason: 'Theirs, says the merchant' }
  const done = await call(superadmin, heldPostbacksEndpoints.settleHeldPostbacks, { body })
  expect(done.body.items).toMatchObject([
    {
      state: 'settled',
      changes: [
        { quantity: -1, payout: -500 },
        { quantity: 1, payout: 500 },
      ],
    },
  ])
  expect(await net()).toBe(500_00)
  await pay.close('2026-02-B', '2026-03-02')
  const numbers = ['2026-02-B-0001', '2026-02-B-0002']
  const statements = await Promise.all(numbers.map((number) => statementOf(number)))
  const of = (name: string) => statements.find(({ payee }) => payee.name === name)
  expect(of('Cebu')).toMatchObject({
    late: [{ name: '2026-02-A', lines: [{ sales: 1, centavos: 500_00 }] }],
    amount: 500_00,
  })
  expect(of('Manila')).toMatchObject({
    late: [{ name: '2026-02-A', lines: [{ reversals: 1, centavos: -500_00 }] }],
    amount: -500_00,
  })
  await verified()
})
