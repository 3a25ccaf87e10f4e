import { partnerPostbacksEndpoints as calls } from '@tallyroom/contract/desk/partner-postbacks'
import { NOTICE_KINDS, POSTBACK_MACROS } from '@tallyroom/domain/partner-postback'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildOffice, buildRate } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { loopbackAt } from '../../../test/loopback-at.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { ownLayout } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { about } from '../../../test/test-clock.ts'
import { changeSites } from '../../catalogue/sites/former-flags.queries.ts'
import { upsertOptions } from '../../catalogue/options/options.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { parseConfig } from '../../config.ts'
import { makeSafeFetch, outgoingOf, type SafeFetch } from '../../lib/net/safe-fetch.ts'
import type { Listeners } from '../../notices/index.ts'
import { tellingLedger } from '../../tracking/index.ts'
import { recordSale } from '../../tracking/sales/record-sale-event.ts'
import { forgetDeliveries, makeSender, tellOfLastingFailures } from './send-deliveries.ts'
import { partnerPostbacksRoutes } from './partner-postbacks.routes.ts'

let heard = true
const listeners: Listeners = { hear: () => heard }
const world = await postbackWorld({ listeners, layout: ownLayout() })
const { db, clock, agentId, officeId } = world
const merchant = await world.merchant()
const agent = viewer({ role: 'agent', officeId, agentId })
const office = viewer({ role: 'company', officeId, agentId: undefined })

/** What the tracker was asked, and how it answers. */
let asked: URL[] = []
let status = 200
const TEXT = { 'content-type': 'text/plain' }
let headers: Record<string, string> = TEXT
let hangs = false
const tracker = createServer((request, answer) => {
  asked.push(new URL(request.url ?? '', 'http://tracker'))
  if (!hangs) answer.writeHead(status, headers).end('thanks')
})
await new Promise<void>((done) => tracker.listen(0, '0.0.0.0', done))
const { port } = tracker.address() as AddressInfo // a TCP server has such an address
/** The tracker is nowhere public, which tests of what may be asked take as given. */
const fetch = makeSafeFetch(loopbackAt(port), { longestMs: 500 })
const asking = (by: SafeFetch) => ({
  ...world.services,
  outgoing: { partners: by, network: by, problemOf: () => undefined },
})
const services = asking(fetch)
const call = await callRoutes(partnerPostbacksRoutes(services))
afterAll(() => {
  tracker.closeAllConnections()
  tracker.close()
})

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  asked = []
  status = 200
  headers = TEXT
  hangs = false
  heard = true
  await db.deleteFrom('notices').execute()
  await db.deleteFrom('postback_targets').execute()
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('facts').execute()
  await db.updateTable('accounts').set({ email: 'maria@example.com' }).execute()
  await payouts(1)
})

const payouts = (value: 0 | 1) =>
  inTransaction(db, (tx) => upsertOptions(tx, [{ name: 'payout_visible', value }], tx.now))

const events = [...NOTICE_KINDS]
const path = 'p?cid={sub1}&st={status}&sum={payout}&cur={currency}&id={event_id}&tok={token}'
const urlAt = (host = '127.0.0.1') => `http://${host}:${port}/${path}`

async function target(by = agent, body: object = {}): Promise<number> {
  const answer = await call(by, calls.createPartnerPostback, {
    body: { url: urlAt(), events, ...body },
  })
  expect(answer.body).toEqual({ id: expect.any(Number) })
  return answer.body.id
}

let orders = 0
async function sell(query: Record<string, string> = {}, soldFor = officeId) {
  const transaction_id = `T-${++orders}`
  const click_id = await merchant.click({ subs: ['my click'], office_id: soldFor })
  const answer = await merchant.get({ click_id, transaction_id, ...query })
  expect(answer.json().outcome).toBe('recorded')
  return { transaction_id, eventId: String(answer.json().eventId) }
}

async function send(sender = makeSender(services)): Promise<void> {
  await sender.sendDue()
  await sender.idle()
}
const logOf = async (id: number) =>
  (await call(agent, calls.partnerPostbackLog, { params: { id }, query: {} })).body.items
const listed = async (by = agent) => (await call(by, calls.partnerPostbacks)).body.postbacks
const query = () => asked.map(({ searchParams }) => Object.fromEntries(searchParams))
const advance = (ms: number) => clock.advance(ms)

test('an agent hears of each sale and of its reversal, with their own click id', async () => {
  const id = await target()
  const { transaction_id, eventId } = await sell()
  await send()
  await merchant.get({ event: 'void', transaction_id })
  await send()
  const [{ token } = { token: '' }] = await listed()
  expect(query()).toEqual([
    { cid: 'my click', st: 'approved', sum: '500.00', cur: 'PHP', id: eventId, tok: token },
    expect.objectContaining({ cid: 'my click', st: 'reversed', sum: '-500.00' }),
  ])
  const [, first] = await logOf(id)
  expect(first).toMatchObject({
    eventId,
    kind: 'sale.recorded',
    state: 'sent',
    tries: [{ status: 200, answer: 'thanks', error: null }],
  })
  // Whoever reads the log learns nothing with which to forge a postback.
  expect(JSON.stringify(await logOf(id))).not.toContain(token)
})

test('every macro has a value, except those of marks that the click has not', async () => {
  const macros = POSTBACK_MACROS.map((name) => `${name}={${name}}`).join('&')
  await target(agent, { url: `http://127.0.0.1:${port}/p?${macros}` })
  const { transaction_id, eventId } = await sell()
  await send()
  const [{ token } = { token: '' }] = await listed()
  const { site, type, agent: name, click_id: clickId, ...values } = query()[0] ?? {}
  expect(values).toEqual({
    sub1: 'my click',
    sub2: '',
    sub3: '',
    sub4: '',
    sub5: '',
    event: 'sale',
    event_id: eventId,
    status: 'approved',
    payout: '500.00',
    currency: 'PHP',
    site_id: String(merchant.siteId),
    type_id: String(merchant.typeId),
    agent_id: String(agentId),
    transaction_id,
    time: expect.stringMatching(/^2026-03-10T16:00:00\.\d{3}Z$/),
    time_unix: '1773158400',
    token,
  })
  for (const value of [site, type, name, clickId]) expect(value).not.toBe('')
})

async function approveSaleShop() {
  const shop = await world.merchant({ use_approve_sale: true })
  await buildRate(db, { type_id: shop.typeId, bonus_payout_centavos: 90_00 })
  return shop
}

/** Reports a sale of a site and its other half, and returns the events by word. */
async function sellInHalves(shop: typeof merchant, words: readonly string[]) {
  const click_id = await shop.click()
  const transaction_id = `T-${++orders}`
  for (const event of words) {
    const answer = await shop.get({ click_id, transaction_id, event })
    expect(answer.json().outcome).toBe('recorded')
  }
  return transaction_id
}

test('a site with approve-sale tells of an approval and a sale, one without of a sale and a bonus', async () => {
  const url = `http://127.0.0.1:${port}/p?event={event}&st={status}`
  const id = await target(agent, { url })
  const shop = await approveSaleShop()
  const order = await sellInHalves(shop, ['approval', 'sale'])
  await shop.get({ event: 'void', transaction_id: order })
  await sellInHalves(merchant, ['sale', 'bonus'])
  for (let n = 0; n < 6; n++) await send()
  const told = query().map((one) => `${one['event']} ${one['st']}`)
  expect(told.toSorted()).toEqual([
    'approval approved',
    'approval reversed',
    'bonus approved',
    'sale approved',
    'sale approved',
    'sale reversed',
  ])
  const kindsOf = (await logOf(id)).map(({ kind }: { kind: string }) => kind)
  expect(kindsOf.toSorted()).toEqual([
    'approval.recorded',
    'bonus.recorded',
    'sale.recorded',
    'sale.recorded',
    'sale.reversed',
    'sale.reversed',
  ])
})

test('whoever wants to hear of sales alone hears of no approval, and what a site was then decides', async () => {
  const shop = await approveSaleShop()
  const url = (event: string) => `http://127.0.0.1:${port}/${event}?event={event}`
  await target(agent, { url: url('sales'), events: ['sale.recorded'] })
  await target(agent, { url: url('approvals'), events: ['approval.recorded', 'sale.reversed'] })
  const order = await sellInHalves(shop, ['approval', 'sale'])
  await send()
  advance(60_000)
  await inTransaction(db, async (tx) => {
    const site = tx.selectFrom('sites').selectAll().where('id', '=', shop.siteId)
    const change = { at: tx.now, by: { accountId: 1, username: 'root' } }
    await changeSites(tx, await site.execute(), change, async () => {
      await tx
        .updateTable('sites')
        .set({ use_approve_sale: false })
        .where('id', '=', shop.siteId)
        .execute()
    })
  })
  await world.inbound.sites.reload()
  advance(60_000)
  await shop.get({ event: 'void', transaction_id: order })
  for (let n = 0; n < 3; n++) await send()
  expect(asked.map(({ pathname, search }) => pathname + search).toSorted()).toEqual([
    '/approvals?event=approval',
    '/approvals?event=approval',
    '/approvals?event=sale',
    '/sales?event=sale',
  ])
})

test('with the upgrade, whoever was told of sales is told of approvals, and of one such site’s bonuses, of its sales', async () => {
  const shop = await world.merchant({ use_approve_sale: true })
  const former: [string[], number | null][] = [
    [['sale.recorded', 'sale.reversed'], null],
    [['bonus.recorded'], shop.siteId],
    [['bonus.recorded'], null],
    [['bonus.recorded'], merchant.siteId],
  ]
  const ids: number[] = []
  for (const [kinds, siteId] of former) ids.push(await target(agent, { events: kinds, siteId }))
  const migration = '../../../migrations/0210_approvals_are_told.sql'
  await sql.raw(await readFile(new URL(migration, import.meta.url), 'utf8')).execute(db)
  const byId = new Map(
    (await listed()).map((one: { id: number; events: string[] }) => [one.id, one.events]),
  )
  expect(ids.map((id) => byId.get(id))).toEqual([
    ['sale.recorded', 'approval.recorded', 'sale.reversed'],
    ['sale.recorded', 'bonus.recorded'],
    ['bonus.recorded'],
    ['bonus.recorded'],
  ])
})

test('a sale that was reversed and counted again before the first delivery is told three times', async () => {
  await target()
  const { transaction_id } = await sell()
  advance(60_000)
  await merchant.get({ event: 'void', transaction_id })
  advance(60_000)
  const click_id = await db
    .selectFrom('sale_events')
    .select('click_id')
    .where('transaction_id', '=', transaction_id)
    .executeTakeFirstOrThrow()
  const again = { click_id: click_id.click_id, transaction_id, status: 'approved' }
  expect((await merchant.get(again)).json().outcome).toBe('recorded')
  for (let n = 0; n < 3; n++) await send()
  expect(
    query()
      .map((one) => String(one['st']))
      .toSorted(),
  ).toEqual(['approved', 'approved', 'reversed'])
  expect(new Set(query().map(({ id }) => id)).size).toBe(3)
})

test('nothing is written while nobody listens, and nobody hears of what was rolled back', async () => {
  heard = false
  await sell()
  heard = true
  expect(await db.selectFrom('notices').selectAll().execute()).toEqual([])

  await target()
  const ledger = tellingLedger(services.ledger, listeners)
  const id = await merchant.click()
  const fields = world.inbound.clickIds.read(id)
  if (!fields) throw new Error('no click')
  const click = { ...fields, id }
  const report = {
    kind: 'sale',
    event: 'sale',
    click,
    postbackId: '01900000-0000-7000-8000-000000000001',
    siteId: merchant.siteId,
    rules: { severalProducts: false, countsForDays: 0, partRule: 'whole' },
    useApproveSale: false,
    transactionId: 'rolled back',
    typeAlias: undefined,
    customerEmail: undefined,
    amount: undefined,
    occurredAt: clock.now(),
    isDated: false,
    insists: false,
    ifEarly: 'keep',
    differsFrom: () => [],
    recordedAt: clock.now(),
  } as const
  await expect(
    inTransaction(db, async (tx) => {
      expect(await recordSale(tx, report, { ledger })).toMatchObject({ outcome: 'recorded' })
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  await send()
  expect(asked).toEqual([])
})

test('each hears what is theirs: of the events, site and link type chosen, since then', async () => {
  await sell()
  advance(1_000)
  await target(office)
  await target(agent, { events: ['sale.reversed'] })
  const other = await world.merchant()
  await target(agent, { siteId: other.siteId, typeId: other.typeId, url: urlAt('127.0.0.2') })
  await target(office, { siteId: merchant.siteId })
  advance(1_000)
  const { eventId } = await sell()
  await send()
  await send()
  // The office's two; the sale from before is told to nobody.
  expect(query().map(({ id }) => id)).toEqual([eventId, eventId])
})

test('after an agent has moved, each office hears of what was sold for it', async () => {
  const elsewhere = await buildOffice(db)
  const moveTo = (office_id: number) =>
    db.updateTable('agents').set({ office_id }).where('id', '=', agentId).execute()
  const tell = (who: string, by: typeof office) => target(by, { url: `${urlAt()}&who=${who}` })
  await tell('agent', agent)
  await tell('before', office)
  await tell('after', viewer({ role: 'company', officeId: elsewhere, agentId: undefined }))
  const { eventId } = await sell()
  await moveTo(elsewhere)
  try {
    const { eventId: later } = await sell({}, elsewhere)
    for (let n = 0; n < 4; n++) await send()
    const names = new Map([
      [eventId, 'first'],
      [later, 'second'],
    ])
    const told = query().map(({ who, id = '' }) => `${names.get(id)}: ${who}`)
    expect(told.toSorted()).toEqual([
      'first: agent',
      'first: before',
      'second: after',
      'second: agent',
    ])
  } finally {
    await moveTo(officeId)
  }
})

test('a target that was made while the clock was ahead hears of what is sold once it is right', async () => {
  clock.advance(3_600_000)
  await target()
  clock.advance(-3_600_000)
  const { eventId } = await sell()
  await send()
  expect(query().map(({ id }) => id)).toEqual([eventId])
})

test('an amount that was hidden while its delivery waits is not sent', async () => {
  await target()
  await sell()
  await payouts(0)
  await send()
  expect(query()).toMatchObject([{ sum: '', cur: '', st: 'approved' }])
})

test('an event has one content, until its owner asks for another', async () => {
  const id = await target()
  await sell()
  status = 500
  await send()
  await payouts(0)
  advance(20_000)
  await send()
  const [first, second] = query()
  expect(first).toMatchObject({ sum: '500.00', cur: 'PHP' })
  expect(second).toEqual(first)
  const changed = { url: `${urlAt()}&more={click_id}`, events }
  const { status: saved } = await call(agent, calls.updatePartnerPostback, {
    params: { id },
    body: changed,
  })
  expect(saved).toBe(200)
  advance(120_000)
  await send()
  expect(query().at(-1)).toMatchObject({
    sum: '',
    cur: '',
    more: expect.stringMatching(/^\w{32}$/),
  })
  const log = (await logOf(id)).at(0)
  expect(JSON.stringify(log)).not.toContain('content')
})

test('a killed process leaves a delivery to another, after its lease, under the same id', async () => {
  await target()
  const { eventId } = await sell()
  hangs = true
  const killed = makeSender(asking(() => new Promise(() => {})))
  await killed.sendDue()
  hangs = false
  await send()
  expect(asked).toEqual([])
  advance(30_000)
  await send()
  await send()
  expect(query().map(({ id }) => id)).toEqual([eventId])
})

test('of two processes, one sends each delivery, two at once to a host', async () => {
  await target()
  for (let n = 0; n < 12; n++) await sell()
  let running = 0
  let most = 0
  const counting = asking(async (url) => {
    most = Math.max(most, ++running)
    try {
      await until(() => most > 1)
      return await fetch(url)
    } finally {
      running -= 1
    }
  })
  const senders = [makeSender(counting), makeSender(counting)]
  await until(async () => {
    await Promise.all(senders.map(send))
    return asked.length >= 12
  })
  expect(asked).toHaveLength(12)
  expect(new Set(query().map(({ id }) => id)).size).toBe(12)
  expect(most).toBe(2)
})

test.each([
  ['the agent', 'agents', agentId],
  ['their office', 'offices', officeId],
] as const)('while %s is suspended, deliveries wait', async (_, table, ownId) => {
  const setActive = (active: boolean) =>
    db.updateTable(table).set({ active }).where('id', '=', ownId).execute()
  const id = await target()
  await sell()
  await setActive(false)
  await send()
  expect(asked).toEqual([])
  await setActive(true)
  expect(await logOf(id)).toMatchObject([{ state: 'waiting' }])
  await send()
  expect(await logOf(id)).toMatchObject([{ state: 'sent' }])
})

test('a target that hangs delays no other', async () => {
  await target(agent, { url: `http://127.0.0.3:${port}/hang?id={event_id}` })
  await target(agent, { url: `http://127.0.0.4:${port}/ok?id={event_id}` })
  for (let n = 0; n < 6; n++) await sell()
  const slow = asking((url) => (url.includes('/hang') ? new Promise<never>(() => {}) : fetch(url)))
  const sender = makeSender(slow)
  await until(async () => {
    await sender.sendDue()
    return asked.filter(({ pathname }) => pathname === '/ok').length === 6
  })
})

test('a failed delivery is tried eight times in a day and a half, its owner hears of it once', async () => {
  const id = await target()
  await sell()
  status = 500
  const waits: number[] = []
  for (;;) {
    await send()
    await tellOfLastingFailures(services)
    const [delivery] = await logOf(id)
    if (!delivery?.nextTryAt) break
    waits.push((Date.parse(delivery.nextTryAt) - clock.now().getTime()) / 1_000)
    clock.set(delivery.nextTryAt)
  }
  const planned = [10, 60, 300, 1_800, 7_200, 28_800, 86_400]
  expect(waits).toHaveLength(planned.length)
  for (const [place, seconds] of planned.entries()) {
    expect(Math.abs((waits[place] ?? 0) / seconds - 1)).toBeLessThanOrEqual(0.1)
  }
  expect(await logOf(id)).toMatchObject([{ state: 'failed', nextTryAt: null }])
  const mails = await sentMails(services)
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['maria@example.com', `Tallyroom: your postback to 127.0.0.1:${port} fails`],
  ])
  expect(mails[0]?.text).toContain('It answered with status 500.')
  const told = { format: 'postback', targetId: id, host: `127.0.0.1:${port}`, isOff: false }
  expect(await db.selectFrom('facts').select(['kind', 'subject']).execute()).toEqual([
    { kind: 'postback.failed', subject: told },
  ])
})

test('after twenty failures over a day it goes off, keeps what it misses, and sends it when switched on', async () => {
  const id = await target()
  status = 302
  headers = { location: 'http://127.0.0.1/' }
  for (let n = 0; n < 21; n++) {
    await sell()
    await send()
    await tellOfLastingFailures(services)
    advance(2 * 3_600_000)
  }
  expect(await listed()).toMatchObject([{ id, state: 'failing' }])
  expect((await sentMails(services)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('fails'),
    expect.stringContaining('is off'),
  ])
  asked = []
  const { eventId } = await sell()
  await send()
  expect(asked).toEqual([])
  expect((await listed())[0]?.missed).toBeGreaterThan(0)
  status = 200
  headers = TEXT
  await call(agent, calls.switchPartnerPostback, {
    params: { id },
    body: { on: true, sendMissed: true },
  })
  for (let n = 0; n < 3; n++) await send()
  expect(query().map((one) => one['id'])).toContain(eventId)
  expect(await listed()).toMatchObject([{ state: 'on', failures: 0, missed: 0 }])
})

test('that a target fails is told after an hour of failures, not after many in a second, and once', async () => {
  const id = await target()
  status = 503
  for (let n = 0; n < 6; n++) {
    await sell()
    await send()
  }
  const texts: string[] = []
  const told = async () => {
    await tellOfLastingFailures(services)
    const [one] = await listed()
    texts.push(...(await sentMails(services)).map(({ text }) => text))
    return [one?.failures, one?.keepsFailing, texts.length]
  }
  expect(await told()).toEqual([6, false, 0])
  advance(3_590_000)
  expect(await told()).toEqual([6, false, 0])
  advance(60_000)
  // Also while nothing is tried.
  expect(await told()).toEqual([6, true, 1])
  expect(texts[0]).toContain(
    `Nothing has reached 127.0.0.1:${port} for an hour: 6 tries failed. It answered with status 503.`,
  )
  advance(3_600_000)
  await send()
  // All six are tried again.
  expect(await told()).toEqual([12, true, 1])

  status = 200
  advance(86_400_000)
  await send()
  expect(await listed()).toMatchObject([{ id, failures: 0, keepsFailing: false }])
  status = 503
  await sell()
  for (let n = 0; n < 2; n++) {
    await send()
    advance(20_000)
  }
  advance(3_500_000)
  expect((await told()).at(-1)).toBe(1)
  advance(100_000)
  expect((await told()).at(-1)).toBe(2)
})

test('a single failure is no outage, however long ago, and one that was noted by a clock that was ahead counts from now', async () => {
  await target()
  status = 500
  clock.advance(86_400_000)
  await sell()
  await send()
  clock.set('2026-03-10T17:00:00Z')
  advance(2 * 3_600_000)
  await tellOfLastingFailures(services)
  expect(await sentMails(services)).toEqual([])
  await sell()
  await send()
  advance(3_601_000)
  await tellOfLastingFailures(services)
  expect(await sentMails(services)).toHaveLength(1)
})

test('410 switches off at once, and 429 is obeyed for all that waits', async () => {
  const id = await target()
  status = 429
  headers = { 'retry-after': '3600' }
  await sell()
  await send()
  await sell()
  await send()
  expect(asked).toHaveLength(1)
  advance(3_600_000)
  status = 410
  headers = TEXT
  await send()
  expect(await listed()).toMatchObject([{ id, state: 'gone' }])
  expect((await sentMails(services)).map(({ subject }) => subject)).toEqual([
    `Tallyroom: your postback to 127.0.0.1:${port} is off`,
  ])
})

test('a server makes us wait for an hour at most, which is seen, and ends with sending again', async () => {
  const id = await target()
  status = 503
  headers = { 'retry-after': '99999999' }
  await sell()
  await send()
  const [waiting] = await listed()
  const waitsMs = Date.parse(waiting?.waitsUntil ?? '') - services.clock.peek().getTime()
  expect(Math.round(waitsMs / 60_000)).toBe(60)
  await sell()
  await send()
  expect(asked).toHaveLength(1)
  status = 200
  headers = TEXT
  const [, first] = await logOf(id)
  await call(viewer(), calls.sendAgain, { params: { id, deliveryId: first?.id ?? 0 } })
  await send()
  expect(asked).toHaveLength(3)
  expect(await listed()).toMatchObject([{ id, waitsUntil: null, failures: 0 }])
})

test('a delivery can be sent again, by staff too, and the log ends after 30 days', async () => {
  const id = await target()
  const { eventId } = await sell()
  await send()
  const [delivery] = await logOf(id)
  const params = { id, deliveryId: delivery?.id ?? 0 }
  expect((await call(viewer(), calls.sendAgain, { params })).status).toBe(200)
  await send()
  expect(query().map((one) => one['id'])).toEqual([eventId, eventId])
  expect((await logOf(id))[0]?.tries).toHaveLength(2)
  advance(30 * 86_400_000 + 1_000)
  await forgetDeliveries(services)
  expect(await logOf(id)).toEqual([])
})

test.each([
  [{ url: 'https://t.example/?c={other}' }, { url: ['has {other}, which is no macro'] }],
  [
    { url: 'https://t.example/?c={{sub1}}' },
    { url: ['has {{sub1}}, which is no macro: write {sub1}'] },
  ],
  [{ url: 'https://t.example/', events: [] }, { events: ['Choose at least one event'] }],
  [
    { url: 'http://127.0.0.1:3000/api/links/go/1/1/1' },
    { url: ['must not be an address of ours, such as a link or a postback'] },
  ],
  [{ url: 'https://t.example/', siteId: 999 }, { siteId: ['is not a site that you may sell'] }],
])('%j is refused', async (body, data) => {
  const answer = await call(agent, calls.createPartnerPostback, {
    body: { events, ...body },
  })
  expect(answer.body).toMatchObject({ data })
  const id = await target()
  const changed = await call(agent, calls.updatePartnerPostback, { params: { id }, body })
  expect(changed.body).toMatchObject({ data })
})

test('the preview shows the last sale, and a test nothing that a tracker would count', async () => {
  clock.set('2026-04-20T16:00:00Z')
  const { eventId } = await sell()
  const preview = await call(agent, calls.previewPartnerPostback, { body: { url: urlAt() } })
  expect(preview.body).toMatchObject({
    url: expect.stringContaining(`cid=my%20click&st=approved&sum=500.00&cur=PHP&id=${eventId}`),
    occurredAt: about(clock.now()),
  })
  const tested = await call(agent, calls.testPartnerPostback, { body: { url: urlAt() } })
  expect(tested.body).toMatchObject({ status: 200, answer: 'thanks', error: null })
  expect(query()).toMatchObject([{ cid: 'test', id: 'test' }])
  const inward = await call(agent, calls.testPartnerPostback, { body: { url: 'http://10.0.0.1/' } })
  expect(inward.body).toMatchObject({
    status: null,
    error: '10.0.0.1 port 80 is not a public web server.',
  })
})

test('of an answer that is no text, only the status and the time are kept', async () => {
  const id = await target()
  const answerOf = async (type: string | undefined) => {
    headers = type === undefined ? {} : { 'content-type': type }
    return (await call(agent, calls.testPartnerPostback, { body: { url: urlAt() } })).body.answer
  }
  expect(await answerOf('text/html; charset=utf-8')).toBe('thanks')
  expect(await answerOf('application/json')).toBe('thanks')
  expect(await answerOf('application/problem+json')).toBe('thanks')
  expect(await answerOf('application/octet-stream')).toBe(null)
  expect(await answerOf('image/png')).toBe(null)
  expect(await answerOf(undefined)).toBe(null)
  await sell()
  await send()
  expect(await logOf(id)).toMatchObject([{ tries: [{ status: 200, answer: null, error: null }] }])
})

test('whatever the operator opens for webhooks, neither a test nor a delivery of a partner goes inside', async () => {
  const outgoing = outgoingOf(loopbackAt(port), { longestMs: 500 })
  const inside = await callRoutes(partnerPostbacksRoutes({ ...services, outgoing }))
  const refused = {
    status: null,
    answer: null,
    error: `127.0.0.1 port ${port} is not a public web server.`,
  }
  const tested = await inside(agent, calls.testPartnerPostback, { body: { url: urlAt() } })
  expect(tested.body).toMatchObject(refused)
  // As one was saved before such addresses were refused.
  const id = await target()
  await sell()
  await send(makeSender({ ...services, outgoing }))
  expect(await logOf(id)).toMatchObject([{ tries: [refused] }])
  expect(asked).toEqual([])
})

const INSIDE = 'which is not a public address: nothing is sent there'
test.each([
  ['http://127.0.0.1:4138/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://127.1/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://2130706433/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://0x7f.1/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://0177.0.0.1/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://127.0.0.1./p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://①②⑦.0.0.1/p', `leads to 127.0.0.1, ${INSIDE}`],
  ['http://0/p', `leads to 0.0.0.0, ${INSIDE}`],
  ['http://10.1.2.3/p', `leads to 10.1.2.3, ${INSIDE}`],
  ['https://192.168.1.1/p', `leads to 192.168.1.1, ${INSIDE}`],
  ['http://169.254.169.254/p', `leads to 169.254.169.254, ${INSIDE}`],
  ['http://100.64.0.1/p', `leads to 100.64.0.1, ${INSIDE}`],
  ['http://[::1]/p', `leads to ::1, ${INSIDE}`],
  ['http://[::ffff:127.0.0.1]/p', `leads to ::ffff:7f00:1, ${INSIDE}`],
  ['http://[64:ff9b::7f00:1]/p', `leads to 64:ff9b::7f00:1, ${INSIDE}`],
  ['http://[fd00::1]/p', `leads to fd00::1, ${INSIDE}`],
  [
    'http://LocalHost./p',
    'leads to localhost, which is no name of a public server: nothing is sent there',
  ],
  [
    'http://a.localhost/p',
    'leads to a.localhost, which is no name of a public server: nothing is sent there',
  ],
  [
    'http://warehouse/p',
    'leads to warehouse, which is no name of a public server: nothing is sent there',
  ],
  [
    'http://db.internal/p',
    'leads to db.internal, which is no name of a public server: nothing is sent there',
  ],
  [
    'https://t.example:8443/p',
    'has port 8443: only ports 80, 443, 4139 of public servers are asked',
  ],
  [
    'https://93.184.216.34:22/p',
    'has port 22: only ports 80, 443, 4139 of public servers are asked',
  ],
])(
  '%s can never be reached, which is said when it is saved, whatever is open to webhooks',
  async (unreachable, message) => {
    const outgoing = outgoingOf({ ...loopbackAt(4138), ports: [4139] })
    const strict = await callRoutes(partnerPostbacksRoutes({ ...services, outgoing }))
    const refused = { status: 422, body: { data: { url: [message] } } }
    const body = { url: unreachable, events }
    expect(await strict(agent, calls.createPartnerPostback, { body })).toMatchObject(refused)
    const id = await target()
    const change = { params: { id }, body: { url: unreachable } }
    expect(await strict(agent, calls.updatePartnerPostback, change)).toMatchObject(refused)
    expect(await listed()).toMatchObject([{ id, url: urlAt() }])
  },
)

test.each(['https://t.example/p', 'http://93.184.216.34/p', 'https://t.example:4139/p'])(
  '%s may be saved',
  async (url) => {
    const outgoing = outgoingOf({ ...loopbackAt(4138), ports: [4139] })
    const strict = await callRoutes(partnerPostbacksRoutes({ ...services, outgoing }))
    const made = await strict(agent, calls.createPartnerPostback, { body: { url, events } })
    expect(made).toMatchObject({ status: 200, body: { id: expect.any(Number) } })
  },
)

test('a tracker is told the network’s brand, and neither the product nor where the back office is', async () => {
  const config = parseConfig({
    BRAND: 'harborline',
    PUBLIC_URL: 'https://secret-office.example.com',
  })
  let said = ''
  const partners: SafeFetch = async (url, { headers: sent } = {}) => {
    said = JSON.stringify([url, sent])
    return { status: 200, headers: {}, body: Buffer.alloc(0), url }
  }
  await target()
  await sell()
  await send(makeSender({ ...asking(partners), config }))
  expect(said).toContain('Harborline postback')
  expect(said).not.toMatch(/tallyroom|secret-office/i)
})
