import { rateBackdatingEndpoints as endpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { type SaleLogItem, saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import { explainEndpoints } from '@tallyroom/contract/figures/explain'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { buildAgent, buildFee, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { execute } from '../../../test/test-server.ts'
import { until } from '../../../test/until.ts'
import { saleLogsRoutes } from '../../desk/sale-logs/sale-logs.routes.ts'
import { statisticsRoutes } from '../../figures/statistics/statistics.routes.ts'
import { rateBackdatingRoutes } from './rate-backdating.routes.ts'

const { db, connection, clock, services, merchant, officeId, agentId, eventsOf } =
  await postbackWorld()
const call = await callRoutes([
  ...rateBackdatingRoutes(services),
  ...saleLogsRoutes(services),
  ...statisticsRoutes(services),
])
const superadmin = viewer()

/** The request to backdate a rate, confirming what its preview says. */
async function backdate(rate: object) {
  const preview = await call(superadmin, endpoints.previewBackdating, { body: rate })
  const body = { ...rate, reason: 'Agreed', version: preview.body.version, requestId: randomUUID() }
  const done = await call(superadmin, endpoints.backdateRate, { body })
  expect(done.status).toBe(200)
  return { preview: preview.body, done: done.body, body }
}
const undo = (id: number) =>
  call(superadmin, endpoints.undoBackdating, { params: { id }, body: { reason: 'By mistake' } })

/**
 * A site that pays ₱500.00, with sales at noon on 4, 5 and 6 March; the first one is reversed on 8
 * March.
 */
async function soldShop() {
  clock.set('2026-03-10T16:00:00Z')
  const shop = await merchant()
  for (const day of [4, 5, 6]) {
    const time = `2026-03-0${day}T17:00:00Z`
    await shop.get({ cid: await shop.click({ clicked_at: new Date(time) }), tid: `D-${day}`, time })
  }
  await shop.get({ tid: 'D-4', event: 'void', time: '2026-03-08T17:00:00Z' })
  const rate = { typeId: shop.typeId, companyId: null, from: '2026-03-04', payout: 450 }
  const worth = async () =>
    (await eventsOf(shop.siteId)).map((event) => [
      event.transaction_id,
      event.quantity,
      event.payout_centavos,
    ])
  return { ...shop, rate, worth }
}

test('each live sale since gets a difference, a reversed one none; a later reversal reverses both', async () => {
  const shop = await soldShop()
  const { preview, done } = await backdate(shop.rate)
  expect(preview).toMatchObject({
    sales: 2,
    payout: -100,
    earning: 0,
    avpSales: 0,
    laterChanges: 0,
    spans: [{ from: '2026-03-04T05:00:00.000Z', until: null }],
    periods: [{ name: null, sales: 2, payout: -100 }],
    offices: [{ companyId: officeId, sales: 2, payout: -100 }],
    agents: [{ agentId, sales: 2, payout: -100 }],
  })
  expect(done).toMatchObject({
    sales: 2,
    payout: -100,
    from: '2026-03-04',
    ratePayout: 450,
    undone: null,
  })
  const recorded = [
    ['D-4', 1, 500_00],
    ['D-5', 1, 500_00],
    ['D-6', 1, 500_00],
    ['D-4', -1, -500_00],
  ]
  const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).toSorted()
  expect(sorted(await shop.worth())).toEqual(
    sorted([...recorded, ['D-5', 0, -50_00], ['D-6', 0, -50_00]]),
  )
  await shop.get({ tid: 'D-5', event: 'chargeback' })
  const undone = await undo(done.id)
  expect(undone.body.undone).toMatchObject({ sales: 1, payout: 50, reason: 'By mistake' })
  expect(sorted(await shop.worth())).toEqual(
    sorted([
      ...recorded,
      ['D-5', 0, -50_00],
      ['D-6', 0, -50_00],
      ['D-5', -1, -450_00],
      ['D-6', 0, 50_00],
    ]),
  )
})

const showPayouts = (value: '0' | '1') =>
  db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()

/** Turns the sale of 5 March into one from before dated rates, at the office's own rates. */
const recordAtOwnRates = (siteId: number) =>
  execute(
    connection,
    `update sale_events set rate_id = null, rate_source = 'office', payout_centavos = 45000
     where site_id = ${siteId} and transaction_id = 'D-5'`,
  )
const atOwnRates = { office_id: officeId, payout_centavos: 450_00 }

test('an office gives up its own rates from a past day on, also for sales from before rates had dates', async () => {
  const shop = await soldShop()
  await buildFee(db, { type_id: shop.typeId, ...atOwnRates })
  await recordAtOwnRates(shop.siteId)
  const rate = { typeId: shop.typeId, companyId: officeId, from: '2026-03-05', enable: false }
  const { preview, done } = await backdate(rate)
  expect(preview).toMatchObject({ sales: 1, payout: 50 })
  await undo(done.id)
  const worth = (await shop.worth()).filter(([order]) => order === 'D-5')
  expect(worth.map(([, quantity, sum]) => `${quantity}: ${sum}`).toSorted()).toEqual([
    '0: -5000',
    '0: 5000',
    '1: 45000',
  ])
})

test('backdating default rates leaves out sales recorded at own rates before rates had dates', async () => {
  const shop = await soldShop()
  await buildFee(db, { type_id: shop.typeId, ...atOwnRates, enabled: false })
  await recordAtOwnRates(shop.siteId)
  const { preview } = await backdate({ ...shop.rate, payout: 350 })
  expect(preview).toMatchObject({ sales: 1, payout: -150 })
})

test('a backdating of a deleted link type can be undone', async () => {
  const shop = await soldShop()
  const { done } = await backdate(shop.rate)
  await db
    .updateTable('link_types')
    .set({ deleted_at: clock.now() })
    .where('id', '=', shop.typeId)
    .execute()
  expect((await undo(done.id)).body.undone).toMatchObject({ sales: 2, payout: 100 })
})

test('omitted amounts are the default ones while an office has no own rates', async () => {
  const shop = await soldShop()
  await buildFee(db, {
    type_id: shop.typeId,
    office_id: officeId,
    payout_centavos: 999_00,
    enabled: false,
  })
  const rate = { typeId: shop.typeId, companyId: officeId, from: '2026-03-04', earning: 1 }
  const { body } = await call(superadmin, endpoints.previewBackdating, { body: rate })
  expect(body).toMatchObject({ sales: 2, payout: 0 })
})

test('Explain, the sale’s page and the sale log show the difference and why, and staff also who', async () => {
  const shop = await soldShop()
  await backdate(shop.rate)
  const day = { start: '2026-03-05', end: '2026-03-05' }
  const explain = (who = superadmin) =>
    call(who, explainEndpoints.explain, {
      body: { ...day, report: 'sites', column: 'payout', siteId: shop.siteId },
    })
  const { body: explained } = await explain()
  expect(explained).toMatchObject({ figure: 450, sum: 450 })
  expect(explained.groups).toMatchObject([
    { rate: 500, sales: 1, sum: 500 },
    { rate: -50, sales: 0, differences: 1, sum: -50 },
  ])
  const sale = (await eventsOf(shop.siteId)).find(
    (event) => event.transaction_id === 'D-5' && event.quantity === 1,
  )
  const difference = { of: sale?.id, isUndoing: false, by: 'superadmin', reason: 'Agreed' }
  expect(explained.parts.total).toBe(2)
  expect(explained.parts.items).toContainEqual(
    expect.objectContaining({ amount: -50, difference: expect.objectContaining(difference) }),
  )
  const counted = await call(superadmin, explainEndpoints.explain, {
    body: { ...day, report: 'sites', column: 'sales', siteId: shop.siteId },
  })
  expect(counted.body).toMatchObject({ figure: 1, sum: 1, parts: { total: 1 } })

  const pageFor = async (who = superadmin) => {
    const page = await call(who, salesEndpoints.sale, { params: { eventId: sale?.id ?? '' } })
    expect(page.status).toBe(200)
    return page.body.differences
  }
  expect(await pageFor()).toMatchObject([
    { payout: -50, isUndoing: false, by: 'superadmin', reason: 'Agreed', day: '2026-03-05' },
  ])
  const agent = viewer({ role: 'agent', officeId, agentId })
  expect(await pageFor(agent)).toEqual([]) // payouts are hidden from agents
  await showPayouts('1')
  const [own] = await pageFor(agent)
  expect(own).toMatchObject({ payout: -50, reason: 'Agreed' })
  expect(own).not.toHaveProperty('by')

  const logFor = async (who = superadmin) => {
    const log = await call(who, saleLogsEndpoints.searchSaleLogs, {
      body: { siteId: shop.siteId, transactionId: 'D-5' },
    })
    const { items, total }: { items: SaleLogItem[]; total: number } = log.body.items
    expect(total).toBe(items.length)
    return items.filter(({ isDifference }) => isDifference)
  }
  expect(await logFor()).toMatchObject([{ payout: -50 }])

  // A difference in earnings alone has no line for viewers who may not see earnings.
  await backdate({ ...shop.rate, earning: 1 })
  expect(await pageFor()).toHaveLength(2)
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  for (const who of [admin, agent]) {
    expect(await pageFor(who)).toMatchObject([{ payout: -50 }])
    expect(await logFor(who)).toMatchObject([{ payout: -50 }])
  }
  expect(await logFor()).toHaveLength(2)
  await showPayouts('0')
  expect(await logFor(agent)).toEqual([])
  // Nor has a difference in points alone, because the sale log shows no points.
  await backdate({ ...shop.rate, earning: 1, lpp: 5 })
  expect(await logFor()).toHaveLength(2)
})

test('an office’s own rates stay; a replaced change ends with the backdating, another one ends it', async () => {
  const shop = await soldShop()
  const cebu = await buildOffice(db)
  const noel = await buildAgent(db, { office_id: cebu })
  await buildFee(db, { type_id: shop.typeId, office_id: cebu })
  const time = '2026-03-05T17:00:00Z'
  const cid = await shop.click({ agent_id: noel, office_id: cebu, clicked_at: new Date(time) })
  await shop.get({ cid, tid: 'own', time })
  const { done } = await backdate(shop.rate)
  expect(done).toMatchObject({ sales: 2 })
  const earlier = { ...shop.rate, from: '2026-03-02', payout: 600 }
  const kept = await call(superadmin, endpoints.previewBackdating, { body: earlier })
  expect(kept.body).toMatchObject({ sales: 0, laterChanges: 1 })
  const { preview } = await backdate({ ...earlier, replaceLater: true })
  expect(preview).toMatchObject({ sales: 2, payout: 300, laterChanges: 0 })
  expect((await undo(done.id)).body.undone).toMatchObject({ sales: 0, payout: 0 })
})

test.each([
  ['a day to come', { from: '2026-03-11' }, 422],
  ['leaving own rates that are nobody’s', { enable: false }, 422],
  ['an unknown link type', { typeId: 999_999 }, 404],
  ['an unknown office', { companyId: 999_999 }, 404],
  ['a negative amount', { payout: -1 }, 422],
])('%s is refused', async (_, change, status) => {
  const { rate } = await soldShop()
  const answer = await call(superadmin, endpoints.previewBackdating, {
    body: { ...rate, ...change },
  })
  expect(answer.status).toBe(status)
})

test('a request sent twice acts once; an outdated preview is refused; undoing twice has no effect', async () => {
  const shop = await soldShop()
  const { done, body } = await backdate(shop.rate)
  const repeated = await call(superadmin, endpoints.backdateRate, { body })
  expect(repeated.body).toEqual(done)
  const stale = await call(superadmin, endpoints.backdateRate, {
    body: { ...body, requestId: randomUUID() },
  })
  expect(stale.status).toBe(409)
  const undone = await undo(done.id)
  expect((await undo(done.id)).body).toEqual(undone.body)
  expect((await eventsOf(shop.siteId)).filter(({ quantity }) => quantity === 0)).toHaveLength(4)
})

test('undoing as an old preview shows it is refused', async () => {
  const shop = await soldShop()
  const { done } = await backdate(shop.rate)
  const params = { id: done.id }
  const { body: preview } = await call(superadmin, endpoints.previewUndo, { params })
  expect(preview).toMatchObject({ sales: 2, payout: 100 })
  await backdate({ ...shop.rate, from: '2026-03-06', payout: 600 })
  const confirm = (version: number) =>
    call(superadmin, endpoints.undoBackdating, { params, body: { reason: 'By mistake', version } })
  expect((await confirm(preview.version)).status).toBe(409)
  const { body: present } = await call(superadmin, endpoints.previewUndo, { params })
  expect(present).toMatchObject({ sales: 1, payout: 50 })
  const undone = await confirm(present.version)
  expect(undone.body.undone).toMatchObject({ sales: 1, payout: 50 })
  // The same request again is answered, not refused.
  expect((await confirm(present.version)).body).toEqual(undone.body)
})

test('of two superadmins who confirm the same preview, one is refused', async () => {
  const { rate, siteId } = await soldShop()
  const { body } = await call(superadmin, endpoints.previewBackdating, { body: rate })
  const confirm = () =>
    call(superadmin, endpoints.backdateRate, {
      body: { ...rate, reason: 'Agreed', version: body.version, requestId: randomUUID() },
    })
  const answers = await Promise.all([confirm(), confirm()])
  expect(answers.map(({ status }) => status)).toContain(200)
  expect(answers.map(({ status }) => status)).toContain(409)
  expect((await eventsOf(siteId)).filter(({ quantity }) => quantity === 0)).toHaveLength(2)
})

test('sales that arrive while rates are backdated have the right price exactly once', async () => {
  const shop = await soldShop()
  const time = '2026-03-07T17:00:00Z'
  const clicks = await Promise.all(
    Array.from({ length: 60 }, () => shop.click({ clicked_at: new Date(time) })),
  )
  const sell = (cid: string, place: number) => shop.get({ cid, tid: `C-${place}`, time })
  const [early, late] = [clicks.slice(0, 30), clicks.slice(30)]
  const [first] = await Promise.all([backdate(shop.rate), ...early.map(sell)])
  await Promise.all([
    undo(first.done.id).then(() => backdate({ ...shop.rate, payout: 470 })),
    ...late.map((cid, place) => sell(cid, 30 + place)),
  ])
  const worth = new Map<string, number>()
  for (const event of await eventsOf(shop.siteId)) {
    const order = event.transaction_id ?? ''
    worth.set(order, (worth.get(order) ?? 0) + event.payout_centavos)
  }
  expect(worth.size).toBe(63)
  worth.delete('D-4') // reversed before
  expect([...new Set(worth.values())]).toEqual([470_00])
})

test('a sale priced before a backdating, and written during or after it, has the backdated price', async () => {
  const shop = await soldShop()
  const time = '2026-03-07T17:00:00Z'
  const cid = await shop.click({ clicked_at: new Date(time) })
  const owner = new pg.Client(connection.url)
  await owner.connect()
  try {
    // Sales are priced, then wait before they are written.
    await owner.query('begin; lock table sale_keys in share mode')
    const sale = shop.get({ cid, tid: 'slow', time })
    await until(async () => {
      const waits = `select count(*)::integer as waiting from pg_locks
        where not granted and relation = 'sale_keys'::regclass`
      const { rows } = await owner.query<{ waiting: number }>(waits)
      return rows[0]?.waiting === 1
    })
    const backdating = backdate(shop.rate)
    // On a distributed database the sale already holds its rates, so the backdating waits for it.
    if (services.layout === 'together') expect((await backdating).done).toMatchObject({ sales: 2 })
    await owner.query('rollback')
    expect((await sale).json()).toMatchObject({ outcome: 'recorded' })
    await backdating
  } finally {
    await owner.end()
  }
  const slow = (await eventsOf(shop.siteId)).filter((event) => event.transaction_id === 'slow')
  expect(slow.reduce((sum, event) => sum + event.payout_centavos, 0)).toBe(450_00)
})

// Runs last, because closing a period with so many sales is slow without fresh statistics.
test('more sales than can be repriced while postbacks wait are refused', async () => {
  const shop = await soldShop()
  await execute(
    connection,
    `insert into sale_events (
       id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
       earning_cents, payout_centavos, lpp, avp, rate_source, rate_id, fraud, click_id
     )
     select
       gen_random_uuid(), agent_id, occurred_at, recorded_at, 0, 1, office_id, site_id, type_id,
       earning_cents, payout_centavos, lpp, avp, rate_source, rate_id, false, 'many ' || number
     from sale_events, generate_series(1, 50000) as number
     where site_id = ${shop.siteId} and transaction_id = 'D-6'`,
  )
  const refused = await call(superadmin, endpoints.previewBackdating, { body: shop.rate })
  const reason = expect.stringMatching(/^changes 50,002 sales, more than 50,000 at once/)
  expect([refused.status, refused.body]).toMatchObject([422, { data: { from: [reason] } }])
  const { preview } = await backdate({ ...shop.rate, from: '2026-03-07' })
  expect(preview.sales).toBe(0)
})
