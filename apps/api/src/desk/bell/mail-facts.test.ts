import { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import { randomUUID } from 'node:crypto'
import type { MailChoice, Topic } from '@tallyroom/domain/facts'
import { roleNumber } from '@tallyroom/domain/roles'
import Fastify from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../access/viewer.ts'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type NewFact, writeFacts } from '../../notices/index.ts'
import { bellRoutes } from './bell.routes.ts'
import { bringForward, digestTimes, mailFacts } from './mail-facts.ts'
import { readUnsubscribe, unsubscribeUrl } from './unsubscribe-link.ts'
import { registerUnsubscribe } from './unsubscribe.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(bellRoutes(services))
const { notifications, chooseNotifications } = notificationsEndpoints
const pages = Fastify()
await pages.register(async (scope) => registerUnsubscribe(scope, services))

let world: Awaited<ReturnType<typeof buildPayWorld>>
let admin: Viewer
let manila: Viewer

beforeEach(async () => {
  await emptyTables(connection, [
    'facts',
    'notification_choices',
    'mailed_topics',
    'mails',
    ...PAY_TABLES,
  ])
  world = await buildPayWorld(services, { avp: 'information' })
  const account = await db
    .updateTable('accounts')
    .set({ email: 'manila@example.com' })
    .where('office_id', '=', world.offices.manila)
    .returning('id')
    .executeTakeFirstOrThrow()
  manila = {
    ...viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined }),
    accountId: account.id,
  }
  const role = { role: 'admin', officeId: undefined, agentId: undefined } as const
  admin = {
    ...viewer(role),
    accountId: await buildAccount(db, { role: roleNumber('admin'), email: 'admin@example.com' }),
  }
  await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()
})

const alarm = (title: string): NewFact => ({
  kind: 'alarm.raised',
  of: 'network',
  subject: { alarmId: 1, title, text: 'No sale since 09:12.', page: '/app/home' },
})
const hold = (told: string): NewFact => ({
  kind: 'pay.held',
  of: { officeId: world.offices.manila },
  subject: { payee: { kind: 'office', id: world.offices.manila, name: 'Manila' }, told },
})
const write = (facts: readonly NewFact[]) =>
  inTransaction(db, (tx) => writeFacts(tx, facts, { at: tx.now, byAccountId: null }))
const told = async () =>
  (await sentMails(services)).map(
    ({ to, subject }) => `${to.split('@')[0]}: ${subject.replace(/^.*?: /, '')}`,
  )
const choose = (who: Viewer, topic: Topic, choice: MailChoice) =>
  call(who, chooseNotifications, { body: { topic, choice } })
const minutes = (count: number) => clock.advance(count * 60_000)

test('without a choice, staff hear of alarms and payees of their pay, and nobody else', async () => {
  await write([alarm('Alpha is silent'), hold('We check some sales.')])
  expect((await told()).toSorted()).toEqual([
    'admin: Alpha is silent',
    'manila: Your pay is on hold',
  ])
  expect(await told()).toEqual([])
})

test('what comes within ten minutes is gathered into one mail, by topic', async () => {
  await write([alarm('Alpha is silent')])
  expect(await told()).toEqual(['admin: Alpha is silent'])
  minutes(1)
  await write([alarm('Beta is silent')])
  expect(await told()).toEqual([])
  minutes(5)
  await write([alarm('Gamma is silent')])
  expect(await told()).toEqual([])
  minutes(3)
  expect(await told()).toEqual([])
  minutes(1)
  const [mail, ...more] = await sentMails(services)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/: Alarms: 2 new$/)
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain('Beta is silent')
    expect(text).toContain('Gamma is silent')
    expect(text).not.toContain('Alpha')
  }
})

test('off is off, and a digest comes at 07:00', async () => {
  clock.set('2026-02-10T15:00:00Z')
  await choose(manila, 'payments', 'off')
  await choose(admin, 'alarms', 'digest')
  await write([alarm('Alpha is silent'), hold('')])
  minutes(60)
  await write([alarm('Beta is silent')])
  expect(await told()).toEqual([])
  clock.set('2026-02-11T11:59:59Z')
  expect(await told()).toEqual([])
  clock.set('2026-02-11T12:00:00Z')
  const [mail, ...more] = await sentMails(services)
  expect(more).toEqual([])
  expect(mail?.to).toBe('admin@example.com')
  expect(mail?.text).toContain('Alpha is silent')
  expect(mail?.text).toContain('Beta is silent')
  clock.set('2026-02-12T12:00:00Z')
  expect(await told()).toEqual([])
})

test('the digest of a day has its figures beside those of the same weekday before, once', async () => {
  const day = (of: string, sales: number, payout_centavos: number) => ({
    day: of,
    agent_id: world.agents.maria,
    office_id: world.offices.manila,
    site_id: world.sites.gamma,
    type_id: world.types.plainType,
    sales,
    payout_centavos,
  })
  await addToTotals(db, [day('2026-02-09', 12, 3600_00), day('2026-02-02', 1007, -900_00)])
  clock.set('2026-02-09T20:00:00Z')
  await world.sell('a', 'maria', '2026-02-08', { plain: true })
  await world.reverse('a', '2026-02-09')
  await world.sell('b', 'maria', '2026-02-08', { plain: true, event_type: 1 })
  await world.reverse('b', '2026-02-09')
  await choose(manila, 'day', 'digest')
  expect(await told()).toEqual([])
  clock.set('2026-02-10T12:00:00Z')
  const [mail, ...more] = await sentMails(services)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Tallyroom: 9 Feb: 12 sales')
  expect(mail?.text).toMatch(/Sales +12 +1,007$/m)
  expect(mail?.text).toMatch(/Reversed +2 +0$/m)
  expect(mail?.text).toMatch(/Payout +₱3,600\.00 +-₱900\.00$/m)
  expect(mail?.text).not.toContain('Earning')
  minutes(60)
  expect(await told()).toEqual([])
})

test('to staff it says what waits, words that a site has sent for the first time too', async () => {
  clock.set('2026-02-09T20:00:00Z')
  const held_at = clock.now()
  for (const word_value of ['shipped', 'parked']) {
    const id = randomUUID()
    const sent = { received_at: held_at, method: 'GET', ip: '192.0.2.1', params: '{}' }
    await db
      .insertInto('postbacks')
      .values({ ...sent, id, site_id: world.sites.gamma, outcome: 'conflict' })
      .execute()
    await db
      .insertInto('held_postbacks')
      .values({
        postback_id: id,
        held_at,
        kind: 'new-word',
        reason: 'A new word.',
        word_site_id: world.sites.gamma,
        word_parameter: 'status',
        word_name: 'status',
        word_value,
        word_event: 'sale',
      })
      .execute()
  }
  await choose(admin, 'day', 'digest')
  expect(await told()).toEqual([])
  clock.set('2026-02-10T12:00:00Z')
  const [mail] = await sentMails(services)
  expect(mail?.text).toMatch(/^ +New words to decide about +2$/m)
})

test('a digest that can’t be written at 07:00 comes later, each thing in it once', async () => {
  clock.set('2026-02-09T20:00:00Z')
  await choose(admin, 'alarms', 'digest')
  await choose(admin, 'day', 'digest')
  await write([alarm('Alpha is silent')])
  expect(await told()).toEqual([])
  clock.set('2026-02-10T12:00:00Z')
  const broken = { ...services, config: { ...services.config, publicUrl: 'no URL' } }
  await mailFacts(broken)
  const mails = await sentMails(services)
  minutes(60)
  for (let n = 0; n < 3; n++) mails.push(...(await sentMails(services)))
  for (const text of ['9 Feb', 'Alpha is silent'])
    expect(mails.filter((mail) => mail.text.includes(text))).toHaveLength(1)
})

test('what a clock that was ahead has put off is mailed in time once it is right', async () => {
  clock.set('2026-02-20T15:00:00Z')
  await choose(admin, 'agents', 'digest')
  await write([alarm('Alpha is silent')])
  expect(await told()).toEqual(['admin: Alpha is silent'])
  await write([
    alarm('Beta is silent'),
    {
      kind: 'agent.suspended',
      of: { agentId: world.agents.maria },
      subject: { agentId: world.agents.maria, username: 'maria' },
    },
  ])
  await mailFacts(services)
  clock.set('2026-02-10T15:00:00Z')
  await bringForward(services)
  expect(await told()).toEqual(['admin: Beta is silent'])
  minutes(10)
  await write([alarm('Gamma is silent')])
  expect(await told()).toEqual(['admin: Gamma is silent'])
  clock.set('2026-02-11T12:00:00Z')
  expect(await told()).toEqual(['admin: What is new: 1'])
})

test('somebody suspended gets no figures, as in mailed views', async () => {
  await choose(manila, 'day', 'digest')
  await db.updateTable('offices').set({ active: false }).where('name', '=', 'Manila').execute()
  clock.set('2026-02-10T12:00:00Z')
  expect(await told()).toEqual([])
})

test.each([
  ['before 07:00', '2026-02-10T11:59:59.999Z', '2026-02-09T12:00:00Z', '2026-02-10T12:00:00Z'],
  ['at 07:00', '2026-02-10T12:00:00Z', '2026-02-10T12:00:00Z', '2026-02-11T12:00:00Z'],
  [
    'the evening before the clocks go forward',
    '2026-03-08T03:00:00Z',
    '2026-03-07T12:00:00Z',
    '2026-03-08T11:00:00Z',
  ],
  ['on that day', '2026-03-08T11:00:00Z', '2026-03-08T11:00:00Z', '2026-03-09T11:00:00Z'],
  [
    'the evening before they go back',
    '2026-11-01T02:00:00Z',
    '2026-10-31T11:00:00Z',
    '2026-11-01T12:00:00Z',
  ],
])('a digest is due at 07:00 on New York’s clocks: %s', (_, now, last, next) => {
  expect(digestTimes(new Date(now))).toEqual({ last: new Date(last), next: new Date(next) })
})

test('a mail about what its reader may not read any more is not written', async () => {
  await write([hold('')])
  await db
    .updateTable('accounts')
    .set({ login_blocked: true })
    .where('id', '=', manila.accountId)
    .execute()
  await write([
    {
      kind: 'rate.changed',
      of: 'network',
      subject: { siteId: 1, typeId: 1, name: 'A', office: null, from: '2026-03-01T05:00:00.000Z' },
    },
  ])
  expect(await told()).toEqual([])
  expect(await db.selectFrom('fact_mails').selectAll().execute()).toEqual([])
})

test('what was rolled back, or is older than five days, is mailed to nobody', async () => {
  const change = inTransaction(db, async (tx) => {
    await writeFacts(tx, [alarm('Alpha is silent')], { at: tx.now, byAccountId: null })
    throw new Error('refused')
  })
  await expect(change).rejects.toThrow('refused')
  await write([alarm('Beta is silent')])
  clock.advance(5 * 86_400_000 + 1)
  expect(await told()).toEqual([])
})

test('of many processes, one writes each mail', async () => {
  await write([alarm('Alpha is silent'), hold('')])
  await Promise.all(Array.from({ length: 4 }, () => mailFacts(services)))
  await mailFacts(services)
  expect(await told()).toHaveLength(2)
})

test('a mail that can’t be written leaves the others alone, and waits', async () => {
  await write([alarm('Alpha is silent')])
  await inTransaction(db, (tx) =>
    writeFacts(tx, [{ ...hold(''), subject: { broken: true } } as unknown as NewFact], {
      at: tx.now,
      byAccountId: null,
    }),
  )
  expect(await told()).toEqual(['admin: Alpha is silent'])
  expect(await db.selectFrom('fact_mails').select('account_id').execute()).toEqual([
    { account_id: manila.accountId },
  ])
})

test('each mail ends itself by one POST without signing in, for its account and topic only', async () => {
  const other = await buildAccount(db, { role: roleNumber('admin'), email: 'other@example.com' })
  await write([alarm('Alpha is silent')])
  const mails = await sentMails(services)
  const mail = mails.find(({ to }) => to === 'admin@example.com')
  expect(mail?.headers).toEqual({
    'list-unsubscribe': expect.stringMatching(/^<http.+\/api\/unsubscribe\/.+>$/),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  const url = new URL(mail?.headers?.['list-unsubscribe']?.slice(1, -1) ?? '').pathname
  const get = await pages.inject(url)
  expect([get.statusCode, get.body]).toEqual([200, expect.stringContaining('<form method="post">')])
  expect(await db.selectFrom('notification_choices').selectAll().execute()).toEqual([])
  for (let n = 0; n < 2; n++) {
    const { statusCode } = await pages.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(statusCode).toBe(200)
  }
  minutes(60)
  await write([alarm('Beta is silent')])
  expect(await told()).toEqual(['other: Beta is silent'])
  expect((await call(admin, notifications)).body.choices).toMatchObject({
    alarms: 'off',
    day: 'off',
  })
  const known = await db.selectFrom('notification_choices').select('account_id').execute()
  expect(known).toEqual([{ account_id: admin.accountId }])
  expect(known).not.toContainEqual({ account_id: other })
})

test('a link that we did not sign ends nothing', async () => {
  const ours = unsubscribeUrl(services, { accountId: admin.accountId, of: 'alarms' })
  const token = ours.split('/').at(-1) ?? ''
  const changed = [
    token.replace(`${admin.accountId}-`, `${manila.accountId}-`),
    token.replace('-alarms-', '-payments-'),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`,
    token.slice(0, -1),
    'x',
  ]
  for (const forged of changed) {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await pages.inject({ method, url: `/api/unsubscribe/${forged}` })
      expect([forged, statusCode]).toEqual([forged, 404])
    }
  }
  expect(await db.selectFrom('notification_choices').selectAll().execute()).toEqual([])
  const rotated = { secret: Buffer.alloc(32, 'new'), formerSecrets: [services.secret] }
  expect(readUnsubscribe(rotated, token)).toEqual({ accountId: admin.accountId, of: 'alarms' })
})

test('the link of a digest ends all of it', async () => {
  await choose(admin, 'alarms', 'digest')
  await choose(admin, 'day', 'digest')
  const url = new URL(unsubscribeUrl(services, { accountId: admin.accountId, of: 'digest' }))
    .pathname
  await pages.inject({ method: 'POST', url })
  expect((await call(admin, notifications)).body.choices).toMatchObject({
    alarms: 'off',
    day: 'off',
  })
})

test.each<[string, Topic, MailChoice]>([
  ['a topic of others', 'alarms', 'off'],
  ['a choice that the topic does not have', 'day', 'at once'],
])('an office can’t choose %s', async (_, topic, choice) => {
  expect((await choose(manila, topic, choice)).status).toBe(422)
})
