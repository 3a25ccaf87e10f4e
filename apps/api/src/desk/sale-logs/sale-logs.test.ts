import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { RawNode } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { makeClickIds } from '../../tracking/clicks/click-id-signer.ts'
import { textId } from '../../lib/text-id.ts'
import { saleLogsRoutes } from './sale-logs.routes.ts'
import { countSaleEvents, type SaleFilter } from './sale-logs.queries.ts'
import { withPlugin } from '../../../test/database.ts'

const { db, clock, services, agentId, officeId, merchant } = await postbackWorld()
const call = await callRoutes(saleLogsRoutes(services))

const superadmin = viewer()
const staff = { officeId: undefined, agentId: undefined } as const
const plainAdmin = viewer({ role: 'admin', ...staff })
const earningAdmin = viewer({ role: 'admin', ...staff }, ['EARNING_VISIBLE'])
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const ids = { lantern: 0, approving: 0, cebu: 0, carlo: 0 }
const clickIds = { first: '', carlos: '' }
const clicked_at = new Date('2026-02-28T12:00:00Z')

/**
 * In chronological order: a sale of 28 February, its reversal, an approval, another office's sale,
 * a black-listed one.
 */
beforeAll(async () => {
  const lantern = await merchant({ sitename: 'Lantern' })
  const approving = await merchant({ sitename: 'Approving', use_approve_sale: true })
  ids.lantern = lantern.siteId
  ids.approving = approving.siteId
  ids.cebu = await buildOffice(db, { name: 'Cebu' })
  ids.carlo = await buildAgent(db, { office_id: ids.cebu, username: 'carlo' })
  const referrer = 'https://forum.example/thread'
  await db
    .insertInto('referrers')
    .values({ id: textId(referrer), referrer })
    .execute()

  clickIds.first = await lantern.click({
    clicked_at,
    referrer_id: textId(referrer),
    subs: ['post', null, 'x'] as string[], // the driver takes nulls in it
  })
  const first = { cid: clickIds.first, tid: 'L-1' }
  await lantern.get({ ...first, email: 'Ann.Lee@example.com', time: '2026-03-01T04:59:59Z' })
  await lantern.get({ ...first, event: 'chargeback', time: '2026-03-01T05:00:00Z' })
  const approved = { cid: await approving.click({ clicked_at }), tid: 'A-1', event: 'approval' }
  await approving.get({ ...approved, email: 'joann@example.com', time: '2026-03-02T12:00:00Z' })
  clickIds.carlos = await lantern.click({
    clicked_at,
    agent_id: ids.carlo,
    office_id: ids.cebu,
    subs: ['Post'],
  })
  await lantern.get({ cid: clickIds.carlos, tid: 'L-2', time: '2026-03-03T12:00:00Z' })
  const blacklisted = await lantern.click({
    clicked_at,
    uncounted: 'blacklisted',
    ip: '198.51.100.9',
  })
  await lantern.get({ cid: blacklisted, tid: 'L-3', time: '2026-03-04T12:00:00Z' })
  clock.set('2026-03-10T17:00:00Z')
})

const days = async (who: Viewer, body: object) => {
  const { items } = await search(who, body)
  return items.items.map((item) => item.date.slice(5, 10))
}
const everything = ['03-04', '03-03', '03-02', '03-01', '03-01']

test('staff see every event, newest first, with reversals on their own lines', async () => {
  const { items } = await search(superadmin, {})
  expect(items.total).toBe(5)
  expect(items.items.map((item) => item.date.slice(5, 10))).toEqual(everything)
  const [blacklisted, , approval, reversal, sale] = items.items
  expect(blacklisted).toMatchObject({ fraud: true, reversal: null, takenBackBy: null })
  expect(approval).toMatchObject({ eventType: 0, useApproveSale: true, sitename: 'Approving' })
  expect(reversal).toMatchObject({
    eventType: 0,
    reversal: 'chargeback',
    takenBackBy: null,
    earning: -25,
    payout: -500,
  })
  expect(sale).toEqual({
    id: expect.any(String),
    date: '2026-03-01T04:59:59.000Z',
    customerEmail: 'Ann.Lee@example.com',
    companyId: expect.any(Number),
    agentId: expect.any(Number),
    siteId: expect.any(Number),
    officeName: expect.stringMatching(/^Office-/),
    agent: expect.stringMatching(/^user-/),
    sitename: 'Lantern',
    useApproveSale: false,
    typename: expect.stringMatching(/^type-/),
    earning: 25,
    payout: 500,
    clickId: clickIds.first,
    sub1: 'post',
    sub3: 'x',
    eventType: 0,
    reversal: null,
    takenBackBy: 'chargeback',
    transactionId: 'L-1',
    fraud: false,
    referer: 'https://forum.example/thread',
  })
})

test('after the secret is rotated, a click is found by its old id and by the one the click log shows', async () => {
  const formerSecrets = [services.secret]
  const secret = Buffer.alloc(32, 'newer')
  const rotated = await callRoutes(saleLogsRoutes({ ...services, secret, formerSecrets }))
  const newer = makeClickIds(secret, formerSecrets)
  const fields = newer.read(clickIds.first)
  if (!fields) throw new Error('the click id should be valid')
  for (const clickId of [clickIds.first, newer.sign(fields)]) {
    const answer = await rotated(superadmin, saleLogsEndpoints.searchSaleLogs, {
      body: { clickId },
    })
    expect(answer.body.items.total).toBe(2)
  }
})

test.each<[string, () => object, string[]]>([
  ['a site', () => ({ siteId: ids.approving }), ['03-02']],
  ['an office', () => ({ companyId: ids.cebu }), ['03-03']],
  ['an agent', () => ({ agentId: ids.carlo }), ['03-03']],
  ['record type, reversals included', () => ({ recordType: 0 }), everything],
  ['a record type without events', () => ({ recordType: 1 }), []],
  ['reversals', () => ({ recordType: 'reversal' }), ['03-01']],
  ['a click', () => ({ clickId: ` ${clickIds.first.toUpperCase()} ` }), ['03-01', '03-01']],
  ['a text that is not a click id', () => ({ clickId: 'x' }), []],
  ['an order number', () => ({ transactionId: 'L-1' }), ['03-01', '03-01']],
  [
    'its beginning, in any case',
    () => ({ transactionId: ' l- ' }),
    ['03-04', '03-03', '03-01', '03-01'],
  ],
  ['an order number without that end', () => ({ transactionId: '-1' }), []],
  ['% in an order number', () => ({ transactionId: '%-1' }), []],
  ['_ in an order number', () => ({ transactionId: 'L_1' }), []],
  ['a backslash in an order number', () => ({ transactionId: 'L-1\\\\' }), []],
  ['quotes in an order number', () => ({ transactionId: `L-1'; drop table sale_events; --` }), []],
  ['a whole address, in any case', () => ({ email: 'ANN.LEE@example.com' }), ['03-01', '03-01']],
  ['part of an address', () => ({ email: 'ann' }), ['03-02', '03-01', '03-01']],
  ['_ in an address', () => ({ email: 'ann_lee' }), []],
  ['a day in New York', () => ({ start: '2026-02-28', end: '2026-02-28' }), ['03-01']],
  ['start date', () => ({ start: '2026-03-03' }), ['03-04', '03-03']],
  ['a sub id, exactly', () => ({ sub: 'sub1', subId: 'post' }), ['03-01', '03-01']],
  ['a sub id of another name', () => ({ sub: 'sub2', subId: 'post' }), []],
  ['no sub id', () => ({ sub: 'sub1' }), ['03-04', '03-02']],
  [
    'a sub id and an order number',
    () => ({ sub: 'sub3', subId: 'x', transactionId: 'L-1', pageSize: 1 }),
    ['03-01'],
  ],
  ['a page', () => ({ page: 2, pageSize: 2 }), ['03-02', '03-01']],
  ['oldest first', () => ({ sortAsc: true }), everything.toReversed()],
  ['empty fields', () => ({ email: '', clickId: ' ', recordType: null }), everything],
])('events can be searched by %s', async (_, criteria, expected) => {
  expect(await days(superadmin, criteria())).toEqual(expected)
})

test('an office sees its agents’ sales, an agent their own, whatever they ask for', async () => {
  const own = everything.filter((day) => day !== '03-03')
  for (const who of [office, agent]) {
    expect(await days(who, {})).toEqual(own)
    for (const others of [
      { companyId: ids.cebu },
      { agentId: ids.carlo },
      { clickId: clickIds.carlos },
      { transactionId: 'L-2' },
    ]) {
      expect(await search(who, others)).toMatchObject({ items: { items: [], total: 0 } })
    }
  }
  const colleague = await buildAgent(db, { office_id: officeId })
  expect(await days(viewer({ role: 'agent', officeId, agentId: colleague }), {})).toEqual([])
})

test('amounts and referrers are sent only to those who may see them', async () => {
  const fieldsOf = async (who: Viewer) => {
    const { items, earningVisible, payoutVisible } = await search(who, {})
    const has = (field: string) => items.items.some((item) => field in item)
    return [earningVisible, has('earning'), payoutVisible, has('payout'), has('referer')]
  }
  expect(await fieldsOf(superadmin)).toEqual([true, true, true, true, true])
  expect(await fieldsOf(earningAdmin)).toEqual([true, true, true, true, false])
  expect(await fieldsOf(plainAdmin)).toEqual([false, false, true, true, false])
  expect(await fieldsOf(office)).toEqual([false, false, false, false, false])
  await setOption('payout_visible', '1')
  expect(await fieldsOf(agent)).toEqual([false, false, true, true, false])
  await setOption('payout_visible', '0')
})

test.each([
  ['an end before the start', { start: '2026-03-02', end: '2026-03-01' }],
  ['an unknown record type', { recordType: 3 }],
  ['an unknown column', { sortField: 'referer' }],
  ['an unknown field', { payout: 5 }],
])('%s is refused', async (_, body) => {
  expect((await call(superadmin, saleLogsEndpoints.searchSaleLogs, { body })).status).toBe(422)
})

type Item = { date: string } & Record<string, unknown>
type Answer = {
  leftOut?: number
  items: { items: Item[]; total: number }
  earningVisible: boolean
  payoutVisible: boolean
}

test('clicks without pay are left out and counted, for those who see payouts', async () => {
  const gift = await merchant({ sitename: 'Gift' })
  const { siteId } = gift
  await gift.get({ cid: await gift.click({ clicked_at }), tid: 'G-1', event: 'click' })
  await gift.get({ cid: await gift.click({ clicked_at }), tid: 'G-2' })
  const orders = async (who: Viewer, body: object) => {
    const { items, leftOut } = await search(who, { siteId, ...body })
    return [
      items.items
        .map(({ transactionId }) => String(transactionId))
        .toSorted((a, b) => a.localeCompare(b)),
      items.total,
      leftOut,
    ]
  }
  expect(await orders(superadmin, {})).toEqual([['G-1', 'G-2'], 2, undefined])
  expect(await orders(superadmin, { withoutUnpaid: true })).toEqual([['G-2'], 1, 1])
  expect(await orders(agent, { withoutUnpaid: true })).toEqual([['G-1', 'G-2'], 2, undefined])
})

test('oldest first, each row comes once however many come meanwhile; newest first, some come twice', async () => {
  const shop = await merchant({ sitename: 'Busy' })
  const { siteId } = shop
  let orders = 0
  // Some at the same instant, which have a fixed order.
  const sell = async (time = clock.now().toISOString()) =>
    shop.get({ cid: await shop.click({ clicked_at }), tid: `B-${++orders}`, time })
  for (let n = 0; n < 7; n++) await sell('2026-03-05T12:00:00Z')
  const read = async (sortAsc: boolean) => {
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { items } = await search(superadmin, { siteId, page, pageSize: 2, sortAsc })
      if (items.items.length === 0) return seen
      seen.push(...items.items.map(({ id }) => String(id)))
      clock.advance(1_000)
      if (page <= 3) await sell()
    }
  }
  const upward = await read(true)
  expect([upward.length, new Set(upward).size, orders]).toEqual([10, 10, 10])
  const downward = await read(false)
  expect([downward.length, new Set(downward).size, orders]).toEqual([13, 10, 13])
  const { items } = await search(superadmin, { siteId, page: 99 })
  expect([items.items, items.total]).toEqual([[], 13])
  const tooMany = await call(superadmin, saleLogsEndpoints.searchSaleLogs, {
    body: { pageSize: 501 },
  })
  expect(tooMany.status).toBe(422)
})

test('differences that the viewer does not see are hashed, not compared with each event', async () => {
  const plan: string[] = []
  const explaining = withPlugin(db, {
    transformQuery: ({ node }) => RawNode.create(['explain ', ''], [node]),
    transformResult: async ({ result }) => {
      plan.push(...result.rows.map((row) => String(row['QUERY PLAN'])))
      return result
    },
  })
  await countSaleEvents(explaining, scopeOf(plainAdmin), NO_EARNINGS)
  expect(plan.join('\n')).toMatch(/NOT \(hashed SubPlan|NOT \(ANY \(.* = \(hashed SubPlan/)
})

test('whoever searches by a sub id finds their own sales only, and does not read on by it', async () => {
  const asked = { sub: 'sub1', subId: 'Post' }
  expect(await days(superadmin, asked)).toEqual(['03-03'])
  expect(await days(office, asked)).toEqual([])
  expect(await days(agent, asked)).toEqual([])
  const body = { ...asked, after: '2026-03-01T00:00:00.000Z' }
  const { status } = await call(superadmin, saleLogsEndpoints.searchSaleLogs, { body })
  expect(status).toBe(422)
})

const NO_EARNINGS: SaleFilter = {
  sees: { earning: false, payout: true },
  siteId: undefined,
  officeId: undefined,
  agentId: undefined,
  click: undefined,
  order: undefined,
  eventType: undefined,
  onlyReversals: false,
  email: undefined,
  from: undefined,
  before: undefined,
}

async function search(who: Viewer, body: object): Promise<Answer> {
  const answer = await call(who, saleLogsEndpoints.searchSaleLogs, { body })
  expect(answer.status).toBe(200)
  return answer.body
}

const setOption = (name: string, value: string) =>
  db.updateTable('options').set({ value }).where('name', '=', name).execute()
