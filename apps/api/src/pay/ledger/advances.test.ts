import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { statementSums } from '@tallyroom/contract/pay/statements/statement-sections'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { payAgents, sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { instalmentsOf } from './advances.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...payProposalsRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

/** Manila is owed ₱300.00 for February’s first half. */
beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await sealWorld(db)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
})

let sales = 0
/** ₱300.00 each. */
const sell = (day: string, count = 1) =>
  Promise.all(
    Array.from({ length: count }, () => world.sell(`s${++sales}`, 'maria', day, { plain: true })),
  )
const pay = (own: object = {}) =>
  call(ann, balancesEndpoints.payOutside, {
    body: {
      kind: 'office',
      id: world.offices.manila,
      currency: 'PHP',
      amount: 1_300_00,
      way: 'cash',
      paidOn: '2026-02-16',
      voucher: '118',
      reason: 'School fees',
      instalments: 3,
      ...own,
    },
  })
const approve = (id: number) =>
  call(bob, payProposalsEndpoints.approvePayProposal, { params: { id } })
const advance = async (own: object = {}) => {
  const { body } = await pay(own)
  expect((await approve(body.proposalId)).status).toBe(200)
}
const balance = async (payee: object = {}) =>
  (
    await call(bob, balancesEndpoints.balance, {
      params: { kind: 'office', id: world.offices.manila, ...payee },
    })
  ).body
const sumsOf = async (number: string) => {
  const { items } = (await call(bob, statementsEndpoints.statements)).body
  const { id, due, state } = items.find((one: { number: string }) => one.number === number)
  const { content } = (await call(bob, statementsEndpoints.statement, { params: { id } })).body
  return {
    due,
    state,
    amount: content.amount,
    lines: statementSums(content).map(({ label, amount }) => `${label}: ${amount}`),
  }
}

test('what is more than is owed is taken back in equal shares that add up, and statements say what was earned', async () => {
  await advance()
  expect(await balance()).toMatchObject({
    balances: [{ balance: 0 }],
    entries: [
      { kind: 'outside', amount: -1_300_00, balance: 0, outside: { voucher: '118' } },
      { kind: 'advance', amount: 1_000_00, balance: 1_300_00 },
      { kind: 'statement', amount: 300_00 },
    ],
    advances: [{ amount: 1_000_00, taken: 0, instalments: 3, statements: 0, ended: null }],
  })
  await sell('2026-02-17', 2)
  await world.close('2026-02-B', '2026-03-01')
  // 1,000.00 ÷ 3 = 333.33…
  expect(await sumsOf('2026-02-B-0001')).toEqual({
    due: 266_67,
    state: 'due',
    amount: 600_00,
    lines: [
      'Sum of 2026-02-B: 60000',
      'Balance before: 0',
      'Instalment 1 of 3 of the advance of 16 Feb, voucher 118 (₱666.67 stays owed): -33333',
      'To pay: 26667',
    ],
  })
  await sell('2026-03-03', 2)
  await world.close('2026-03-A', '2026-03-16')
  // 666.67 − 333.33 = 333.34; carried 266.67.
  expect((await sumsOf('2026-03-A-0001')).due).toBe(266_67 + 600_00 - 333_34)
  await sell('2026-03-17', 2)
  await world.close('2026-03-B', '2026-04-01')
  expect((await sumsOf('2026-03-B-0001')).lines).toContain(
    'Instalment 3 of 3 of the advance of 16 Feb, voucher 118 (paid back): -33333',
  )
  await sell('2026-04-03')
  await world.close('2026-04-A', '2026-04-16')
  expect((await sumsOf('2026-04-A-0001')).lines).toHaveLength(3)
  const { balances, advances } = await balance()
  expect(balances).toMatchObject([{ balance: 3 * 600_00 + 300_00 - 1_000_00 }])
  expect(advances).toMatchObject([{ taken: 1_000_00, statements: 4 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('an instalment takes at most what the statement adds; what is more than is ever earned stays owed', async () => {
  await advance({ amount: 2_300_00, instalments: 2 })
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  // Of ₱1,000.00 there is ₱300.00.
  expect(await sumsOf('2026-02-B-0001')).toMatchObject({ due: 0, state: 'carried' })
  await sell('2026-03-03')
  await world.close('2026-03-A', '2026-03-16')
  await sell('2026-03-17')
  await world.close('2026-03-B', '2026-04-01')
  expect((await sumsOf('2026-03-B-0001')).lines).toEqual([
    'Sum of 2026-03-B: 30000',
    'Balance before: 0',
    'Rest of the advance of 16 Feb, voucher 118 (₱1,100.00 stays owed): -30000',
    'Nothing to pay: 0',
  ])
  const { balances, advances } = await balance()
  expect(balances).toMatchObject([{ balance: 0 }])
  expect(advances).toMatchObject([{ amount: 2_000_00, taken: 900_00, statements: 3 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('what a negative balance needs is not taken, and a statement of nothing says what stays owed', async () => {
  await advance({ amount: 600_00, instalments: 1 })
  await sell('2026-02-17')
  await world.reverse(`s${sales}`, '2026-02-18')
  await world.close('2026-02-B', '2026-03-01')
  expect((await sumsOf('2026-02-B-0001')).lines).toContain(
    'Instalment 1 of 1 of the advance of 16 Feb, voucher 118 (₱300.00 stays owed): 0',
  )
  expect((await verifyWorld(db)).findings).toEqual([])
})

test.each([
  [{ amount: 300_00, carried: 50_00 }, 300_00],
  [{ amount: 300_00, carried: -200_00 }, 100_00],
  [{ amount: 300_00, carried: -400_00 }, 0],
  [{ amount: -50_00, carried: 400_00 }, 0],
])('of what is earned, an instalment takes what a debt from before leaves: %j', (of, taken) => {
  const owed = {
    proposalId: 1,
    paidOn: '2026-02-16',
    voucher: '118',
    currency: 'PHP' as const,
    way: 'cash' as const,
    reason: '',
    advanced: 600_00,
    instalments: 1,
    statements: 0,
    taken: 0,
    givenBack: 0,
    givenUp: 0,
  }
  expect(instalmentsOf([owed], of)).toMatchObject([{ amount: taken, owed: 600_00 - taken }])
})

test('two advances are taken back side by side, the older one first', async () => {
  await advance({ amount: 500_00, instalments: 1 })
  await advance({ amount: 500_00, instalments: 2, voucher: '119' })
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).advances).toMatchObject([
    { amount: 500_00, taken: 100_00 },
    { amount: 200_00, taken: 200_00 },
  ])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test.each<[string, object, RegExp]>([
  ['above the balance without instalments', { instalments: null }, /more than the ₱300.00/],
  ['over no statements', { instalments: 0 }, /from 1 to 24/],
  ['over 25 statements', { instalments: 25 }, /from 1 to 24/],
  ['over parts of one', { instalments: 1.5 }, /instalments/],
  ['of what is owed', { amount: 300_00 }, /only for what is more than can be paid of the balance/],
  ['in another currency', { currency: 'USD', amount: 1 }, /not paid in dollars/],
])('refused: an advance %s', async (_, own, told) => {
  const answer = await pay(own)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body)).toMatch(told)
})

test('an advance is outdated once less is owed', async () => {
  const { proposalId } = (await pay()).body
  await advance({ amount: 100_00, voucher: '119', instalments: null })
  expect(await approve(proposalId)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^₱300.00 is more than the ₱200.00/) },
  })
})

test('a payee deleted meanwhile gets no advance; of one deleted later, the rest is named', async () => {
  await payAgents(db, connection)
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  const agent = { kind: 'agent', id: world.agents.maria, paidOn: '2026-02-16' }
  await advance({ ...agent, amount: 500_00 })
  const { proposalId } = (await pay({ ...agent, amount: 500_00, voucher: '2' })).body
  await execute(connection, `delete from sale_events where agent_id = ${agent.id}`)
  await execute(connection, `delete from accounts where agent_id = ${agent.id}`)
  await execute(connection, `delete from agents where id = ${agent.id}`)
  expect(await approve(proposalId)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^The agent was deleted/) },
  })
  expect((await balance(agent)).advances).toMatchObject([
    { amount: 200_00, taken: 0, ended: 'deleted' },
  ])
})

test('a payee who was deleted before the first statement still has a page with the advance', async () => {
  await payAgents(db, connection)
  const agent = { kind: 'agent', id: world.agents.noel, paidOn: '2026-02-16' }
  await advance({ ...agent, amount: 500_00 })
  await execute(connection, `delete from accounts where agent_id = ${agent.id}`)
  await execute(connection, `delete from agents where id = ${agent.id}`)
  const { kind, id } = agent
  const params = { kind, id }
  expect(await call(bob, balancesEndpoints.balance, { params })).toMatchObject({
    status: 200,
    body: { advances: [{ amount: 500_00, taken: 0, ended: 'deleted' }] },
  })
  // Of one who never was paid there is none.
  expect(
    (await call(bob, balancesEndpoints.balance, { params: { kind, id: 999_999 } })).status,
  ).toBe(404)
})

test('a payee that changes its currency twice pays the rest back after the second change', async () => {
  await advance({ instalments: 1 })
  await world.payIn('USD', world.offices.manila)
  expect((await balance()).advances).toMatchObject([{ taken: 0, ended: 'currency' }])
  await world.payIn('PHP', world.offices.manila)
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).advances).toMatchObject([{ taken: 300_00, ended: null }])
})

test.each([
  [
    `update balance_entries set amount = amount + 1 where kind = 'instalment'`,
    /took back other instalments/,
  ],
  [
    `update balance_entries set made_by = made_by + 1 where kind = 'instalment'`,
    /instalment \d+ differs/,
  ],
  [`delete from balance_entries where kind = 'instalment'`, /took back other instalments/],
  [`update balance_entries set amount = amount + 1 where kind = 'advance'`, /differs from it/],
  [`delete from balance_entries where kind = 'advance'`, /lacks its entry/],
  [`update pay_proposals set instalments = 4`, /differs from what was booked/],
])('the owner’s %s is named', async (change, finding) => {
  await advance()
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  expect((await verifyPay(db)).findings).toEqual([])
  await execute(connection, change)
  expect((await verifyPay(db)).findings.join('\n')).toMatch(finding)
})
