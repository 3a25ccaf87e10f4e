import { randomUUID } from 'node:crypto'
import { findEndpoints, type Found } from '@tallyroom/contract/desk/find'
import { FIRST_UNSTORED_NONCE } from '@tallyroom/domain/click-id'
import { roleNumber } from '@tallyroom/domain/roles'
import { beforeAll, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildCoupon, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { buildBalance } from '../../../test/payment-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findRoutes } from './find.routes.ts'

const { db, clock, services, inbound, agentId, officeId, merchant } = await postbackWorld()
const call = await callRoutes(findRoutes(services))

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const payer = viewer({ role: 'admin', ...staff }, ['PAY'])
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const clicks = { sold: '', unsold: '', carlos: '', pending: '', robot: '' }
const others = { cebu: 0, carlo: 0 }

/**
 * The agent has sold order Cebu to ana@example.com. Carlo of Cebu has sold CBU-2, and his order CBU-9 is pending. The
 * agent's order PEN-1 is pending. VOID-7 was reversed before it arrived, and BAD-5 is refused: its time can't be read.
 */
beforeAll(async () => {
  const lantern = await merchant({ sitename: 'Lantern' })
  const cebu = await buildOffice(db, { name: 'Cebu' })
  const carlo = await buildAgent(db, {
    office_id: cebu,
    username: 'carlo',
    first_name: 'Carlo',
    last_name: 'Reyes',
  })
  Object.assign(others, { cebu, carlo })
  await buildAgent(db, { office_id: officeId, username: 'maria' })
  await buildAccount(db, {
    role: roleNumber('admin'),
    username: 'bettina',
    email: 'bettina@example.com',
  })
  const ofCarlo = { agent_id: carlo, office_id: cebu }
  clicks.sold = await lantern.click()
  clicks.unsold = await lantern.click()
  clicks.robot = await lantern.click({ uncounted: 'headless' })
  clicks.pending = await lantern.click()
  clicks.carlos = await lantern.click(ofCarlo)
  await lantern.get({ cid: clicks.sold, tid: 'Cebu', email: 'Ana@example.com' })
  await lantern.get({ cid: clicks.carlos, tid: 'CBU-2' })
  await lantern.get({
    cid: clicks.pending,
    tid: 'PEN-1',
    status: 'pending',
    email: 'ben@example.com',
  })
  await lantern.get({ cid: await lantern.click(ofCarlo), tid: 'CBU-9', status: 'pending' })
  await lantern.get({ cid: await lantern.click(), tid: 'VOID-7', event: 'void' })
  await lantern.get({ cid: await lantern.click(), tid: 'BAD-5', time: 'yesterday' })
  await lantern.get({ cid: await lantern.click(), tid: 'KEY-5', voucher: 'VX 77' }, 'wrong-key')
  await buildPayments()
  clock.set('2026-03-10T17:00:00Z')
})

/** Our office was paid ₱2,000.00 as TR-OURS-1, and Cebu as TR-CEBU-1; our second payment has no result. */
async function buildPayments(): Promise<void> {
  await buildBalance(db, officeId)
  const at = new Date('2026-03-02T15:00:00Z')
  const by = { made_at: at, made_by: 1, made_by_name: 'anna' }
  const { id: run } = await db
    .insertInto('payment_runs')
    .values({
      number: 'R-2026-0001',
      currency: 'PHP',
      template_id: 1,
      layout: '{}',
      left_out: '[]',
      prepared_at: at,
      prepared_by: 1,
      prepared_by_name: 'anna',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = async (payee_id: number, payee_name: string, reference: string) => {
    const { id } = await db
      .insertInto('payment_run_lines')
      .values({
        run_id: run,
        payee_kind: 'office',
        payee_id,
        payee_name,
        currency: 'PHP',
        amount: 2_000_00,
        account_id: 1,
        reference,
        open: false,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const ours = await line(officeId, 'Ours', 'TR-OURS-1')
  const theirs = await line(others.cebu, 'Cebu', 'TR-CEBU-1')
  await line(officeId, 'Ours', 'TR-OURS-2')
  await db
    .insertInto('payment_results')
    .values([
      { run_line_id: ours, paid: true, bank_reference: 'BPI-1', ...by },
      { run_line_id: theirs, paid: true, bank_reference: 'BPI-2', ...by },
    ])
    .execute()
  const { id: period_id } = await db
    .insertInto('pay_periods')
    .values({
      name: '2026-02-A',
      period_length: 'beWeek',
      payees: 'offices',
      avp: 'instead',
      start_day: '2026-02-01',
      end_day: '2026-02-15',
      closed_at: at,
      closed_by: 1,
      closed_by_name: 'anna',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const statement = (number: string, payee_id: number, payee_name: string) => ({
    number,
    period_id,
    payee_kind: 'office',
    payee_id,
    payee_name,
    currency: 'PHP',
    amount: 2_000_00,
    carried: 0,
    minimum: 0,
    content: Buffer.from('{}'),
    content_hash: Buffer.from(randomUUID()),
  })
  await db
    .insertInto('statements')
    .values([
      statement('2026-02-A-0001', officeId, 'Ours'),
      statement('2026-02-A-0002', others.cebu, 'Cebu'),
    ])
    .execute()
}

test.each<[string, string, string[]]>([
  [
    'an order number, in any case, before names',
    'CEBU',
    ['sale Cebu', 'office Cebu', 'agent carlo'],
  ],
  ['the beginning of an order number', 'cbu', ['sale CBU-2']],
  ['a username', 'maria', ['agent maria']],
  ['a full name', 'carlo reyes', ['agent carlo']],
  ['an agent’s office, after its own name', 'ceb', ['office Cebu', 'agent carlo', 'sale Cebu']],
  ['part of a site', 'tern', ['site Lantern']],
  ['an admin’s address', 'bettina@example.com', ['admin bettina']],
  ['a customer’s address', 'ana@EXAMPLE.com', ['sale Cebu']],
  ['the number of a waiting postback', 'void-7', ['postback Postback of void-7']],
  ['the number of a refused postback', 'BAD-5', ['postback Postback of BAD-5']],
  ['a number under a name that we don’t read', 'vx 77', []],
  [
    'the address of a pending postback',
    'BEN@example.com',
    ['postback Postback of BEN@example.com'],
  ],
  ['a statement’s number', '2026-02-a-0002', ['statement 2026-02-A-0002']],
  ['a statement’s period', '2026-02-A', ['statement 2026-02-A-0001', 'statement 2026-02-A-0002']],
  ['a run’s number', 'r-2026-0001', ['run R-2026-0001']],
  ['our reference of a payment', 'tr-cebu-1', ['run TR-CEBU-1']],
  ['the bank’s reference of a payment', 'bpi-2', ['run TR-CEBU-1']],
  ['% as it is', '%b', []],
  ['quotes as they are', `'; --`, []],
  ['a backslash as it is', String.raw`1\u0031"`, []],
  ['JSON as it is', '["BAD-5"]', []],
])('superadmins find by %s', async (_, text, expected) => {
  expect(linesOf(await find(superadmin, text))).toEqual(expected)
})

test('a click id finds its sale; without one, it finds the click for those whose it is', async () => {
  expect(linesOf(await find(superadmin, clicks.sold.toUpperCase()))).toEqual(['sale Cebu'])
  for (const who of [admin, office, agent]) {
    expect(linesOf(await find(who, clicks.unsold))).toEqual([`click ${clicks.unsold}`])
  }
})

test('offices and agents find nothing that their lists would not show', async () => {
  for (const text of ['CBU-2', clicks.carlos, 'carlo', 'reyes', 'bettina', 'VOID-7', 'PEN-1']) {
    for (const who of [office, agent]) expect([text, await find(who, text)]).toEqual([text, []])
  }
  expect(linesOf(await find(office, 'cebu'))).toEqual(['sale Cebu'])
  expect(linesOf(await find(agent, 'cebu'))).toEqual(['sale Cebu'])
  expect(linesOf(await find(office, 'maria'))).toEqual(['agent maria'])
  expect(await find(agent, 'maria')).toEqual([])
})

test('offices find their own statements, and payments to them once there is a result; admins only with PAY', async () => {
  await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()
  const numbers = ['2026-02-A', 'TR-OURS-1', 'BPI-1', 'TR-OURS-2', 'TR-CEBU-1', 'BPI-2', 'R-2026']
  const foundBy = async (who: Viewer) =>
    Promise.all(numbers.map(async (number) => linesOf(await find(who, number))))
  expect(await foundBy(office)).toEqual([
    ['statement 2026-02-A-0001'],
    ['payment TR-OURS-1'],
    ['payment TR-OURS-1'],
    [],
    [],
    [],
    [],
  ])
  expect(await foundBy(agent)).toEqual(numbers.map(() => []))
  expect(await foundBy(admin)).toEqual(numbers.map(() => []))
  expect((await foundBy(payer)).map(({ length }) => length)).toEqual([2, 1, 1, 1, 1, 1, 1])
})

test.each<[string, () => string, string | null]>([
  ['an order number that has a sale', () => 'Cebu', null],
  ['a name', () => 'Somebody', null],
  ['a number of something else', () => 'R-2026-0001', null],
  ['the beginning of an order number', () => 'CBU-', null],
  [
    'one that waits',
    () => 'VOID-7',
    'No sale has this number. One postback does, waiting: the sale that it reverses has not arrived yet.',
  ],
  [
    'one that was refused',
    () => 'BAD-5',
    'No sale has this number. One postback does, refused: time',
  ],
  [
    'one that is pending',
    () => 'PEN-1',
    'No sale has this number. One postback does, pending: the merchant has not approved it yet.',
  ],
  [
    'one that was sent with a wrong key',
    () => 'KEY-5',
    'No sale has this number. One postback does, refused: ',
  ],
  [
    'one that was never sent',
    () => '12345',
    'No merchant has sent anything with 12345. Ask for the click id.',
  ],
  [
    'an address that nobody has sent',
    () => 'nobody@example.com',
    'No sale has this address, and no postback that became none.',
  ],
  ['a click', () => clicks.unsold, 'Nobody has reported anything with this click id.'],
  [
    'a click that does not count',
    () => clicks.robot,
    'Nobody has reported anything with this click id. It was not counted: automated browser.',
  ],
  [
    'a click id that we have not made',
    () => forged(clicks.unsold),
    'This is not one of our click ids.',
  ],
  [
    'the click id of a crawler',
    () =>
      inbound.clickIds.sign({
        clickedAtMs: clock.now().getTime(),
        agentId,
        typeId: 1,
        nonce: FIRST_UNSTORED_NONCE,
      }),
    'This click id was given to a visitor who was not recorded, such as a crawler. Nobody has reported anything with it.',
  ],
])('staff are told what it means that no sale has %s', async (_, text, expected) => {
  const { meaning } = await answer(payer, text())
  if (expected === null) expect(meaning).toBeNull()
  else expect(meaning).toMatch(new RegExp(`^${RegExp.escape(expected)}`))
})

test('an agent is told about their own reports, and nothing of others’', async () => {
  const none =
    'None of your sales has this number. If it should, ask your office and give the click id.'
  for (const text of ['CBU-2', 'CBU-9', 'KEY-5', '12345']) {
    expect([text, (await answer(agent, text)).meaning]).toEqual([text, none])
  }
  const noClick = 'None of your clicks has this id.'
  for (const text of [clicks.carlos, forged(clicks.unsold)]) {
    expect((await answer(agent, text)).meaning).toBe(noClick)
  }
  expect((await answer(agent, 'PEN-1')).meaning).toBe(
    'No sale of yours has this number yet. A report of it came on 2026-03-10: the merchant has not approved it yet.',
  )
  expect((await answer(office, 'ben@example.com')).meaning).toBe(
    'No sale of yours has this address yet. A report of it came on 2026-03-10: the merchant has not approved it yet.',
  )
  expect((await answer(office, 'CBU-9')).meaning).toBe(none.replace('your office', 'the network'))
})

test('an agent is told about a coupon’s order, which has no click', async () => {
  const site = await merchant({ sitename: 'Voucher' })
  await buildCoupon(db, { site_id: site.siteId, agent_id: agentId, code: 'OURS10' })
  await buildCoupon(db, { site_id: site.siteId, agent_id: others.carlo, code: 'CARLO10' })
  await inbound.sites.reload()
  for (const [coupon, tid] of [
    ['OURS10', 'CPQ-1001'],
    ['CARLO10', 'CPQ-1002'],
  ]) {
    expect((await site.get({ coupon: coupon!, tid: tid!, status: 'pending' })).statusCode).toBe(202)
  }
  for (const who of [agent, office]) {
    expect((await answer(who, 'CPQ-1001')).meaning).toBe(
      'No sale of yours has this number yet. A report of it came on 2026-03-10: the merchant has not approved it yet.',
    )
    expect((await answer(who, 'CPQ-1002')).meaning).toMatch(/^None of your sales has this number/)
  }
})

test('several postbacks are one line with the newest', async () => {
  const site = await merchant({ sitename: 'Beacon' })
  for (const minutes of [1, 2]) {
    clock.set(new Date(Date.parse('2026-03-10T17:00:00Z') + minutes * 60_000).toISOString())
    await site.get({ cid: await site.click(), tid: 'TWICE-1', event: 'void' })
  }
  const { items, meaning } = await answer(superadmin, 'twice-1')
  expect(items.map(({ label }) => label)).toEqual(['2 postbacks of twice-1'])
  expect(meaning).toMatch(/^No sale has this number. 2 postbacks do, the newest waiting: /)
})

test('a whole name is marked as such', async () => {
  const [sale, named] = await find(superadmin, 'cebu')
  expect([sale?.isExact, named?.isExact]).toEqual([true, true])
  const [beginning] = await find(superadmin, 'mari')
  expect(beginning?.isExact).toBe(false)
})

test('a single letter is refused', async () => {
  expect((await call(superadmin, findEndpoints.find, { body: { text: ' a ' } })).status).toBe(422)
})

test('an empty log names the others that have something, as their pages count', async () => {
  const logs = async (who: Viewer, body: object) =>
    (await call(who, findEndpoints.otherLogs, { body: { empty: 'chats', ...body } })).body
  // The clicks of these tests are in no totals, except that the automated one is counted apart.
  const days = { start: '2026-03-10', end: '2026-03-10' }
  expect(await logs(superadmin, days)).toEqual({
    others: [
      { log: 'sales', total: 2 },
      { log: 'clicks', total: 1 },
      { log: 'postbacks', total: 11 },
    ],
    onAnyDay: 0,
  })
  expect(await logs(agent, days)).toEqual({
    others: [
      { log: 'sales', total: 1 },
      { log: 'clicks', total: 1 },
    ],
    onAnyDay: 0,
  })
  expect(await logs(agent, { agentId: others.carlo })).toEqual({ others: [], onAnyDay: null })
  expect(await logs(office, { empty: 'sales', start: '2026-03-09', end: '2026-03-09' })).toEqual({
    others: [],
    onAnyDay: 1,
  })
  expect((await logs(office, { start: '2026-03-10', end: '2026-03-09' })).code).toBe(
    'VALIDATION_ERROR',
  )
})

const find = async (who: Viewer, text: string): Promise<Found[]> => (await answer(who, text)).items

async function answer(
  who: Viewer,
  text: string,
): Promise<{ items: Found[]; meaning: string | null }> {
  const { status, body } = await call(who, findEndpoints.find, { body: { text } })
  expect(status).toBe(200)
  return body
}

/** With another tag. */
const forged = (clickId: string) => clickId.slice(0, -1) + (clickId.endsWith('0') ? '1' : '0')

const linesOf = (found: readonly Found[]) => found.map(({ kind, label }) => `${kind} ${label}`)
