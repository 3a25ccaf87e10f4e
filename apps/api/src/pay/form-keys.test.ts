import { endpoints } from '@tallyroom/contract/endpoints'
import { changingActions } from '@tallyroom/contract/endpoint'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../test/pay-world.ts'
import { buildPerson } from '../../test/payment-world.ts'
import { testServices } from '../../test/services.ts'
import type { Viewer } from '../access/viewer.ts'
import { forgetFormKeys } from '../db/do-once.ts'
import { payRoutes } from './pay.routes.ts'
import { payProposalsRoutes } from './acts/pay-proposals.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...payProposalsRoutes(services)])
const { createAdjustment, takeBackAdjustment, balance } = balancesEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'form_keys'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
})

const KEY = 'e2b7a9c4-0c0e-4d3f-9a51-0f6f7a1b2c3d'

const adjust = (who: Viewer, amount: number, key = KEY) =>
  call(who, createAdjustment, {
    key,
    body: {
      kind: 'office',
      id: world.offices.manila,
      currency: 'PHP',
      amount,
      reason: 'Referral bonus',
    },
  })

const amounts = async () =>
  (
    await call(ann, balance, { params: { kind: 'office', id: world.offices.manila } })
  ).body.adjustments.map((one: { amount: number }) => one.amount)

test('a form that is sent twice does its act once, and is answered alike', async () => {
  const first = await adjust(ann, 150_00)
  const again = await adjust(ann, 150_00)
  expect(first.status).toBe(200)
  expect(again).toEqual(first)
  expect(await amounts()).toEqual([150_00])
})

test('of the same form ten times at once, one does its act', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => adjust(ann, 150_00)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await amounts()).toEqual([150_00])
})

test('the same key with other values is refused, and does nothing', async () => {
  await adjust(ann, 150_00)
  const other = await adjust(ann, 151_00)
  expect([other.status, other.body.message]).toEqual([
    409,
    'This form was already sent with other values, and that was done. Reload the page to see it before you send another.',
  ])
  expect(await amounts()).toEqual([150_00])
})

test('the same form at a URL with a query, or with its number spelled otherwise, is the same', async () => {
  const { id } = (await adjust(ann, 150_00)).body
  const body = { reason: 'A mistake' }
  const takeBack = (number: string, query: Record<string, string> = {}) =>
    call(ann, takeBackAdjustment, { key: KEY, params: { id: number }, body, query })
  const taken = await takeBack(String(id))
  expect(taken.status).toBe(200)
  expect(await takeBack(String(id), { x: '1' })).toEqual(taken)
  expect(await takeBack(String(id).replaceAll(/\d/g, '%3$&'))).toEqual(taken)
  expect(await amounts()).toEqual([-150_00, 150_00])
})

test('a form that was refused did nothing, so its key takes the corrected values', async () => {
  expect((await adjust(ann, 0)).status).toBe(422)
  expect((await adjust(ann, 150_00)).status).toBe(200)
  expect(await amounts()).toEqual([150_00])
})

test('a key is its account’s and its call’s', async () => {
  const { id } = (await adjust(ann, 150_00)).body
  expect((await adjust(bob, 150_00)).body.id).not.toBe(id)
  const body = { reason: 'A mistake' }
  const takeBack = () => call(ann, takeBackAdjustment, { key: KEY, params: { id }, body })
  const taken = await takeBack()
  expect(taken.status).toBe(200)
  // Without the key it would be refused: it has been taken back.
  expect(await takeBack()).toEqual(taken)
  expect((await amounts()).toSorted()).toEqual([-150_00, 150_00, 150_00])
})

test('closing and proposals answer again what they answered', async () => {
  await world.sell('a', 'maria', '2026-02-03')
  services.clock.set('2026-02-16T15:00:00Z')
  const closing = { params: { name: '2026-02-A' }, body: { typed: '2026-02-A', postbacks: [] } }
  const close = () => call(ann, payEndpoints.closePayPeriod, { key: KEY, ...closing })
  const closed = await close()
  expect(closed.status).toBe(200)
  expect(await close()).toEqual(closed)

  const { proposalId } = (await adjust(ann, 900_000_00)).body
  expect(proposalId).not.toBe(null)
  const refuse = () =>
    call(bob, payProposalsEndpoints.refusePayProposal, {
      key: KEY,
      params: { id: proposalId },
      body: { reason: 'Nobody knows why' },
    })
  expect((await refuse()).status).toBe(200)
  expect((await refuse()).status).toBe(200)
})

test('a key is kept for a week', async () => {
  await adjust(ann, 150_00)
  const now = new Date()
  await forgetFormKeys(db, new Date(now.getTime() + 6.9 * 24 * 60 * 60_000))
  await adjust(ann, 150_00)
  expect(await amounts()).toEqual([150_00])
  await forgetFormKeys(db, new Date(now.getTime() + 7.1 * 24 * 60 * 60_000))
  await adjust(ann, 150_00)
  expect(await amounts()).toEqual([150_00, 150_00])
})

test('a key is no text of any length', async () => {
  expect((await adjust(ann, 150_00, 'short')).status).toBe(422)
  expect((await adjust(ann, 150_00, 'x'.repeat(65))).status).toBe(422)
  expect(await amounts()).toEqual([])
})

/** Why sending them twice does nothing that matters. */
const sentAnyTime = {
  enterPayeeAccount: 'an account that is entered again waits again, and no money moves',
  disownAccount: 'the account is disowned already',
  decideAccount: 'the account is decided already',
  createPayFileTemplate: 'names are unique',
  updatePayFileTemplate: 'has a version',
  deletePayFileTemplate: 'is deleted already',
  takePaymentFile: 'its second download has to be asked for',
}

test('every call that changes something in pay does it once for each key', () => {
  const changing = Object.entries(endpoints).filter(
    ([, { path, action }]) =>
      /^\/api\/(pay|rate-backdatings)\b/.test(path) &&
      changingActions.some((one) => one === action),
  )
  const without = changing.filter(([, one]) => !('once' in one)).map(([name]) => name)
  expect(without.toSorted()).toEqual(Object.keys(sentAnyTime).toSorted())
})
