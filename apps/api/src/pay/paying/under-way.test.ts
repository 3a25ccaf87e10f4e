import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { randomInt } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import {
  buildAccountInForce,
  buildPerson,
  genericLayout,
  resultFileOf,
  seenOf,
} from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...dashboardRoutes(services),
])
const runs = paymentRunsEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
let templateId: number

/** Manila has earned ₱300.00 in the first half of February, which is closed, and is paid in transfers of up to ₱125.00. */
beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  world = await buildPayWorld(services, { avp: 'instead' })
  ann = await buildPerson(db, 'ann')
  bob = await buildPerson(db, 'bob')
  await buildAccountInForce(db, world.offices.manila, { channel: 'wallet', number: '09171234567' })
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  const layout: PayFileLayout = {
    ...genericLayout,
    channels: [
      { name: 'Wallets', takes: 'any', currency: 'PHP', over: null, upTo: 125_00, split: true },
    ],
  }
  const body = { name: `Split ${randomInt(2 ** 40)}`, layout }
  templateId = (await call(ann, payFilesEndpoints.createPayFileTemplate, { body })).body.id
})

const prepare = () =>
  call(ann, runs.preparePaymentRun, { body: { period: null, currency: 'PHP', templateId } })
/** A run whose file was taken: its id, and the amounts of its transfers. */
async function sent(): Promise<{ id: number; amounts: number[] }> {
  services.clock.advance(60_000)
  const { id } = (await prepare()).body
  const params = { id }
  await call(bob, runs.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files, lines } = (await call(bob, runs.paymentRun, { params })).body
  const body = { name: files[0].name }
  expect((await call(bob, runs.takePaymentFile, { params, body })).status).toBe(200)
  return { id, amounts: lines.map(({ amount }: { amount: number }) => amount) }
}
/** The bank's words for the transfers of a run, by their numbers. */
async function answer(id: number, words: Record<number, 'OK' | 'NO'>): Promise<void> {
  services.clock.advance(60_000)
  const lines = Object.entries(words).map(([nth, word]) => `P1R${id}N${nth},${word},A reason`)
  const body = resultFileOf(lines)
  const { status } = await call(ann, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body,
  })
  expect(status).toBe(200)
}
const owed = async (): Promise<number> =>
  (
    await call(bob, balancesEndpoints.balance, {
      params: { kind: 'office', id: world.offices.manila },
    })
  ).body.balances[0].balance
/** What became of the statements, oldest first. */
const states = async (): Promise<string[]> =>
  (
    await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
  ).body.items
    .toReversed()
    .map(({ state }: { state: string }) => state)
const findings = async () => (await verifyPay(db)).findings

test('what failed is paid by the next run while the bank is silent about the rest, and the payee reads how far each part is', async () => {
  await execute(connection, `update options set value = '1' where name = 'payout_visible'`)
  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  const home = async () => (await call(office, homeEndpoints.home)).body.pay.next
  const first = await sent()
  expect(first.amounts).toEqual([125_00, 125_00, 50_00])
  expect(await home()).toMatchObject({ step: 'sent', amount: 300_00, answered: null })
  await answer(first.id, { 1: 'OK', 2: 'NO' })
  expect(await owed()).toBe(125_00)
  expect(await states()).toEqual(['running'])
  expect(await home()).toMatchObject({
    step: 'sent',
    amount: 50_00,
    answered: { arrived: 125_00, failed: 125_00 },
  })
  expect(await findings()).toEqual([])

  const second = await sent()
  expect(second.amounts).toEqual([125_00])
  expect(await owed()).toBe(0)
  // What is under way is owed no more, so nobody pays it again.
  expect((await prepare()).body.message).toBe('This run would pay nobody.')
  await answer(second.id, { 1: 'OK' })
  expect(await states()).toEqual(['running'])
  expect(await findings()).toEqual([])
  await answer(first.id, { 3: 'OK' })
  expect(await states()).toEqual(['paid'])
  expect(await findings()).toEqual([])
})

test('what was under way and fails later is owed again, and only that', async () => {
  const first = await sent()
  await answer(first.id, { 1: 'OK', 2: 'NO' })
  const second = await sent()
  await answer(first.id, { 3: 'NO' })
  expect(await owed()).toBe(50_00)
  await answer(second.id, { 1: 'OK' })
  expect(await states()).toEqual(['failed'])
  expect(await findings()).toEqual([])
  const third = await sent()
  expect(third.amounts).toEqual([50_00])
  await answer(third.id, { 1: 'OK' })
  expect(await states()).toEqual(['paid'])
  expect(await owed()).toBe(0)
  expect(await findings()).toEqual([])
})

test('the next period is paid although the one before is under way, in whatever order the bank answers', async () => {
  const first = await sent()
  await world.sell('b', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  const second = await sent()
  expect(second.amounts).toEqual([125_00, 125_00, 50_00])
  await answer(second.id, { 1: 'OK', 2: 'OK', 3: 'OK' })
  expect(await states()).toEqual(['running', 'paid'])
  await answer(first.id, { 1: 'NO', 2: 'OK', 3: 'OK' })
  expect(await states()).toEqual(['failed', 'paid'])
  expect(await owed()).toBe(125_00)
  expect(await findings()).toEqual([])
  const third = await sent()
  expect(third.amounts).toEqual([125_00])
  await answer(third.id, { 1: 'OK' })
  expect(await states()).toEqual(['paid', 'paid'])
  expect(await findings()).toEqual([])
})

test('what waits for approval is in no other run', async () => {
  await prepare()
  const { body } = await call(ann, runs.paymentRunCandidates, {
    body: { period: null, currency: 'PHP', templateId },
  })
  expect(body).toMatchObject({
    paid: [],
    leftOut: [{ cause: 'in another run', why: 'It is in R-2026-0001, which is not approved yet.' }],
  })
})
