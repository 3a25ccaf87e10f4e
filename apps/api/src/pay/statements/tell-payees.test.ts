import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildOwed,
  buildPerson,
  resultFileOf,
  seenOf,
} from '../../../test/payment-world.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])
const runs = paymentRunsEndpoints

let [ann, bob] = [viewer(), viewer()]
let world: Awaited<ReturnType<typeof buildPayWorld>>

beforeEach(async () => {
  await emptyTables(connection, ['mails', ...PAY_TABLES])
  world = await buildPayWorld(services, { avp: 'information' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await db
    .updateTable('accounts')
    .set({ email: 'manila@example.com' })
    .where('office_id', '=', world.offices.manila)
    .execute()
  await db
    .updateTable('accounts')
    .set({ email: 'maria@example.com' })
    .where('agent_id', '=', world.agents.maria)
    .execute()
  await showPayouts('1')
})

const showPayouts = (value: '0' | '1') =>
  db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()

/** `address: subject`, without the brand, once the pause after the last mail is over. */
const told = async () => {
  services.clock.advance(10 * 60_000)
  const mails = await sentMails(services)
  return mails.map(({ to, subject }) => `${to}: ${subject.replace(/^.*?: /, '')}`)
}

const hold = (body: object) =>
  call(ann, balancesEndpoints.setPayHold, {
    params: { kind: 'office', id: world.offices.manila },
    body: { reason: 'Fraud: see Rico', ...body },
  })

test('a payee is told of a statement, and nobody else is', async () => {
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.sell('b', 'noel', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-17')
  expect(await told()).toEqual(['manila@example.com: Your statement 2026-02-A-0002 is ready'])
})

test.each([
  ['while payouts are hidden', () => showPayouts('0')],
  ['on a blocked account', () => db.updateTable('accounts').set({ login_blocked: true }).execute()],
])('nobody is told of a statement %s', async (_, change) => {
  await change()
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-17')
  expect(await told()).toEqual([])
})

test('a payee is told of a hold once, in the words for them, and when it is lifted', async () => {
  await hold({ held: true, told: 'We check some sales.' })
  const [mail, ...more] = await sentMails(services)
  expect(more).toEqual([])
  expect(mail?.to).toBe('manila@example.com')
  expect(mail?.text).toContain('We check some sales.')
  expect(mail?.text).not.toContain('Rico')
  await hold({ held: true, told: 'We check some sales.', reason: 'Rico and others' })
  expect(await told()).toEqual([])
  await hold({ held: false })
  expect(await told()).toEqual(['manila@example.com: Your pay is no longer on hold'])
})

test('a payee is told once when money is sent, and when a second person approves that a transfer failed', async () => {
  await buildOwed(db, world.offices.manila)
  const { id } = (
    await call(ann, runs.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1 },
    })
  ).body
  await call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
  expect(await told()).toEqual([])
  const { files, lines } = (await call(bob, runs.paymentRun, { params: { id } })).body
  await call(bob, runs.takePaymentFile, { params: { id }, body: { name: files[0].name } })
  await call(bob, runs.takePaymentFile, {
    params: { id },
    body: { name: files[0].name, again: true },
  })
  expect(await told()).toEqual(['manila@example.com: Payment sent'])
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params: { id },
    body: { lines: [{ reference: lines[0].reference, paid: false, reason: 'Closed' }] },
  })
  expect(await told()).toEqual([])
  await approveWaiting(services)
  expect(await told()).toEqual(['manila@example.com: A transfer to you failed'])
})

test('a payee is told when the bank’s file says that a transfer failed, or came back, and when that is entered by hand', async () => {
  await buildOwed(db, world.offices.manila)
  /** Pays what is owed, with this word in the bank's file. Returns the run and its line. */
  const pay = async (word: 'OK' | 'NO') => {
    services.clock.advance(60_000)
    const { id } = (
      await call(ann, runs.preparePaymentRun, {
        body: { period: null, currency: 'PHP', templateId: 1 },
      })
    ).body
    await call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
    const { files, lines } = (await call(bob, runs.paymentRun, { params: { id } })).body
    await call(bob, runs.takePaymentFile, { params: { id }, body: { name: files[0].name } })
    await told()
    await read(id, lines[0].reference, word)
    return { id, line: lines[0] }
  }
  const read = async (id: number, reference: string, word: string, returnedOn?: string) => {
    const { status } = await call(ann, paymentResultsEndpoints.readResultFile, {
      params: { id },
      body: {
        ...resultFileOf([`${reference},${word},x`]),
        ...(returnedOn !== undefined && { returnedOn }),
      },
    })
    expect(status).toBe(200)
  }
  const today = () => services.clock.now().toISOString().slice(0, 10)

  await pay('NO')
  expect(await told()).toEqual(['manila@example.com: A transfer to you failed'])
  const first = await pay('OK')
  expect(await told()).toEqual([])
  await read(first.id, first.line.reference, 'NO', today())
  expect(await told()).toEqual(['manila@example.com: A transfer to you came back'])
  await read(first.id, first.line.reference, 'NO', today())
  expect(await told()).toEqual([])
  const second = await pay('OK')
  const entered = { lineId: second.line.id, returnedOn: today(), reason: 'Account closed' }
  await call(ann, paymentResultsEndpoints.returnPayment, {
    params: { id: second.id },
    body: entered,
  })
  expect(await told()).toEqual([])
  await approveWaiting(services)
  expect(await told()).toEqual(['manila@example.com: A transfer to you came back'])
})
