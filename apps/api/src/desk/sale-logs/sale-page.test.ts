import { explainEndpoints } from '@tallyroom/contract/figures/explain'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAgent, buildFee, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { parseConfig } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { textId } from '../../lib/text-id.ts'
import { makeClickIds } from '../../tracking/clicks/click-id-signer.ts'
import { statisticsRoutes } from '../../figures/statistics/statistics.routes.ts'
import { saleLogsRoutes } from './sale-logs.routes.ts'

const { db, connection, clock, services, agentId, officeId, merchant } = await postbackWorld()
const owner = openDatabase(connection, { max: 2, applicationName: 'owner', asOwner: true })
afterAll(() => owner.close())
const call = await callRoutes([...saleLogsRoutes(services), ...statisticsRoutes(services)])
const hiding = await callRoutes(
  saleLogsRoutes({ ...services, config: parseConfig({ BRAND: 'northlane' }) }),
)

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const world = { key: '', typeId: 0, siteId: 0, clickId: '', carlosClick: '', first: '', second: '' }
const clicked_at = new Date('2026-02-28T12:00:00Z')

/**
 * Order O-1 of 1 March: reported twice, claimed for a click of Carlo in another office, reversed by
 * a chargeback and voided again. Order O-2 comes from the same click.
 */
beforeAll(async () => {
  const lantern = await merchant({ sitename: 'Lantern', avp: true })
  const cebu = await buildOffice(db, { name: 'Cebu' })
  const carlo = await buildAgent(db, { office_id: cebu, username: 'carlo' })
  const referrer = 'https://forum.example/thread'
  await db
    .insertInto('referrers')
    .values({ id: textId(referrer), referrer })
    .execute()
  await db.insertInto('user_agents').values({ id: 7, user_agent: 'Firefox' }).execute()
  world.typeId = lantern.typeId
  world.siteId = lantern.siteId
  world.key = lantern.key
  world.clickId = await lantern.click({
    clicked_at,
    referrer_id: textId(referrer),
    user_agent_id: 7,
    subs: ['newsletter'],
  })
  world.carlosClick = await lantern.click({ clicked_at, agent_id: carlo, office_id: cebu })
  const order = { cid: world.clickId, tid: 'O-1' }
  const at = (instant: string) => clock.set(`2026-${instant}:00Z`)
  at('03-01T12:00')
  world.first = eventOf(await lantern.get({ ...order, email: 'ann@example.com' }))
  at('03-01T12:01')
  await lantern.get(order)
  at('03-01T12:02')
  await lantern.get({ cid: world.carlosClick, tid: 'O-1' })
  at('03-17T12:00')
  await lantern.get({ tid: 'O-1', event: 'chargeback' })
  at('03-18T12:00')
  await lantern.get({ tid: 'O-1', event: 'void' })
  at('03-19T12:00')
  await buildFee(db, { office_id: officeId, type_id: lantern.typeId })
  world.second = eventOf(await lantern.get({ cid: world.clickId, tid: 'O-2' }))
})

test('a superadmin reads a sale from its click to its reversal', async () => {
  const { postbacks, ...sale } = await read(superadmin, world.first)
  expect(sale).toEqual({
    eventId: world.first,
    occurredAt: '2026-03-01T12:00:00.000Z',
    recordedAt: '2026-03-01T12:00:00.000Z',
    day: '2026-03-01',
    halfMonth: { start: '2026-03-01', end: '2026-03-15' },
    earning: 25,
    payout: 500,
    paidBy: 'off',
    eventType: 0,
    useApproveSale: false,
    transactionId: 'O-1',
    customerEmail: 'ann@example.com',
    companyId: officeId,
    officeName: expect.stringMatching(/^Office-/),
    agentId,
    agent: expect.stringMatching(/^user-/),
    siteId: world.siteId,
    sitename: 'Lantern',
    typeId: world.typeId,
    typename: expect.stringMatching(/^type-/),
    clickId: world.clickId,
    fraud: false,
    rateSource: 'default',
    tier: {
      week: { start: '2026-02-23', end: '2026-03-01' },
      agentAvpSales: 0,
      reached: null,
    },
    click: {
      clickedAt: '2026-02-28T12:00:00.000Z',
      url: expect.stringMatching(/\/api\/links\/go\/\d+\/\d+\/\d+\?sub1=newsletter$/),
      uncounted: null,
      note: null,
      isCut: false,
      ip: '203.0.113.7',
      isUnique: true,
      referrer: 'https://forum.example/thread',
      userAgent: 'Firefox',
    },
    destination: expect.stringContaining('https://landing.example/'),
    clickIsArchived: false,
    coupon: null,
    hasPostback: true,
    agentSuspended: false,
    life: [
      {
        eventId: expect.any(String),
        kind: 'reversed',
        reversal: 'chargeback',
        occurredAt: '2026-03-17T12:00:00.000Z',
        recordedAt: '2026-03-17T12:00:00.000Z',
        day: '2026-03-17',
        halfMonth: { start: '2026-03-16', end: '2026-03-31' },
        earning: -25,
        payout: -500,
        paidBy: 'off',
      },
    ],
    reversal: {
      eventId: expect.any(String),
      kind: 'chargeback',
      occurredAt: '2026-03-17T12:00:00.000Z',
      recordedAt: '2026-03-17T12:00:00.000Z',
      day: '2026-03-17',
      halfMonth: { start: '2026-03-16', end: '2026-03-31' },
      earning: -25,
      payout: -500,
      paidBy: 'off',
    },
    differences: [],
    others: [
      {
        eventId: world.second,
        occurredAt: '2026-03-19T12:00:00.000Z',
        eventType: 0,
        transactionId: 'O-2',
        isReversed: false,
      },
    ],
  })
  expect(linesOf(postbacks)).toEqual([
    '03-01T12:00 sale recorded',
    '03-01T12:01 sale duplicate',
    '03-01T12:02 sale conflict',
    '03-17T12:00 chargeback recorded',
    '03-18T12:00 void duplicate',
  ])
  expect(postbacks[2].detail).toMatchObject({
    clickId: world.carlosClick,
    transactionId: 'O-1',
    reason: expect.stringContaining('another click'),
  })
})

test('an admin without flags sees neither earnings nor the referrer, and no key of the merchant', async () => {
  const sale = await read(admin, world.first)
  expect(linesOf(sale.postbacks)).toHaveLength(5)
  expect(sale).not.toHaveProperty('earning')
  expect(sale.reversal).not.toHaveProperty('earning')
  expect(sale.click).not.toHaveProperty('referrer')
  expect(sale.click.userAgent).toBe('Firefox')
  expect(sale.postbacks[0].detail.params).toContain('removed')
  expect(JSON.stringify(sale)).not.toContain(world.key)
})

test('offices and agents see what their logs show: no rates, destination, browser, or reports for other clicks', async () => {
  for (const who of [office, agent]) {
    const { postbacks, click, ...sale } = await read(who, world.first)
    expect(linesOf(postbacks)).toEqual([
      '03-01T12:00 sale recorded',
      '03-01T12:01 sale duplicate',
      '03-17T12:00 chargeback recorded',
      '03-18T12:00 void duplicate',
    ])
    for (const postback of postbacks) expect(postback).not.toHaveProperty('detail')
    for (const amount of ['earning', 'payout', 'destination']) {
      expect(sale).not.toHaveProperty(amount)
      expect(sale.reversal).not.toHaveProperty(amount)
    }
    expect(Object.keys(click)).toEqual([
      'clickedAt',
      'url',
      'uncounted',
      'note',
      'isCut',
      'ip',
      'isUnique',
    ])
    expect(JSON.stringify({ postbacks, click, sale })).not.toContain(world.carlosClick)
  }
  expect((await read(office, world.first)).tier).not.toHaveProperty('agentAvpSales')
  expect((await read(agent, world.first)).tier.agentAvpSales).toBe(0)

  await setPayoutVisible('1')
  const sale = await read(agent, world.first)
  await setPayoutVisible('0')
  expect([sale.payout, sale.reversal.payout, 'earning' in sale]).toEqual([500, -500, false])
})

test('a brand that hides addresses hides those of sales', async () => {
  const { body } = await hiding(superadmin, salesEndpoints.sale, params(world.first))
  expect(body.click).not.toHaveProperty('ip')
  expect(body.click.clickedAt).toBe('2026-02-28T12:00:00.000Z')
})

test('foreign and unknown sales get the same answer, also by the id of a reversal', async () => {
  const { reversal } = await read(superadmin, world.first)
  const colleague = viewer({
    role: 'agent',
    officeId,
    agentId: await buildAgent(db, { office_id: officeId }),
  })
  const stranger = viewer({ role: 'company', officeId: await buildOffice(db), agentId: undefined })
  const unknown = await call(agent, salesEndpoints.sale, params(randomUUID()))
  expect(unknown.status).toBe(404)
  for (const who of [colleague, stranger]) {
    for (const id of [world.first, reversal.eventId]) {
      expect(await call(who, salesEndpoints.sale, params(id))).toEqual(unknown)
    }
  }
})

test('the id of a reversal leads to its sale', async () => {
  const sale = await read(superadmin, world.first)
  expect(await read(superadmin, sale.reversal.eventId)).toEqual(sale)
})

test('it says whose rate it was, and each order has its own postbacks', async () => {
  const sale = await read(superadmin, world.second)
  expect([sale.rateSource, sale.payout, sale.reversal]).toEqual(['office', 700, null])
  expect(linesOf(sale.postbacks)).toEqual(['03-19T12:00 sale recorded'])
})

test('the tier is that of all the AVP sales of its week', async () => {
  await db
    .insertInto('avp_tiers')
    .values([
      {
        valid_from: '2026-03-16',
        index: 0,
        from_sales: 0,
        to_sales: 0,
        payout_centavos: 0,
        payout_cents: 0,
      },
      {
        valid_from: '2026-03-16',
        index: 1,
        from_sales: 1,
        to_sales: 1000,
        payout_centavos: 11_00,
        payout_cents: 25,
      },
    ])
    .execute()
  // The chargeback of 17 March removes its sale from the week of 1 March, and does not affect the
  // week of 19 March.
  expect((await read(superadmin, world.second)).tier).toEqual({
    week: { start: '2026-03-16', end: '2026-03-22' },
    agentAvpSales: 1,
    reached: { index: 1, from: 1, to: 1000 },
    payoutPhp: 11,
  })
  expect((await read(superadmin, world.first)).tier.reached).toBeNull()
})

test('a click whose address was cut says so; one that is not stored is missing', async () => {
  const clicks = owner.db.updateTable('clicks').where('agent_id', '=', agentId)
  await clicks.set({ ip: '203.0.113.0/24' }).execute()
  const { click } = await read(superadmin, world.first)
  expect([click.isCut, click.ip]).toEqual([true, '203.0.113.0/24'])
  await clicks.set({ nonce: -1 }).execute()
  expect((await read(superadmin, world.first)).click).toBeNull()
})

test('after the secret is rotated, the postbacks of a click are found by all of its ids', async () => {
  const formerSecrets = [services.secret]
  const secret = Buffer.alloc(32, 'newer')
  const rotated = await callRoutes(saleLogsRoutes({ ...services, secret, formerSecrets }))
  const newer = makeClickIds(secret, formerSecrets)
  expect(newer.read(world.clickId)).toBeDefined()
  const { body } = await rotated(superadmin, salesEndpoints.sale, params(world.first))
  expect(body.postbacks).toHaveLength(5)
})

test('a sale, its row in the sale log and its part of an explanation agree', async () => {
  const log = await call(superadmin, saleLogsEndpoints.searchSaleLogs, { body: {} })
  const { items } = log.body.items
  const explanation = await call(superadmin, explainEndpoints.explain, {
    body: {
      report: 'payroll',
      column: 'payout',
      start: '2026-03-01',
      end: '2026-03-31',
    },
  })
  const parts = new Map(
    explanation.body.parts.items.map((part: { eventId: string }) => [part.eventId, part]),
  )
  expect(items).toHaveLength(3)
  for (const row of items) {
    const sale = await read(superadmin, row.id)
    const event = row.reversal ? sale.reversal : sale
    expect(event).toMatchObject({
      eventId: row.id,
      occurredAt: row.date,
      earning: row.earning,
      payout: row.payout,
    })
    expect(sale).toMatchObject({
      clickId: row.clickId,
      transactionId: row.transactionId,
      customerEmail: row.customerEmail,
      agent: row.agent,
      sitename: row.sitename,
    })
    expect(sale.reversal?.kind ?? null).toBe(row.reversal ?? row.takenBackBy)
    expect(parts.get(row.id)).toMatchObject({
      occurredAt: event.occurredAt,
      amount: event.payout,
      transactionId: sale.transactionId,
      clickId: sale.clickId,
      agent: sale.agent,
      rateSource: sale.rateSource,
    })
  }
})

const params = (eventId: string) => ({ params: { eventId } })

async function read(who: Viewer, eventId: string) {
  const answer = await call(who, salesEndpoints.sale, params(eventId))
  expect(answer.status).toBe(200)
  return answer.body
}

const linesOf = (postbacks: { receivedAt: string; event: string; outcome: string }[]) =>
  postbacks.map(
    ({ receivedAt, event, outcome }) => `${receivedAt.slice(5, 16)} ${event} ${outcome}`,
  )

const eventOf = (answer: { json: () => { eventId: string } }) => answer.json().eventId

const setPayoutVisible = (value: string) =>
  db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()
