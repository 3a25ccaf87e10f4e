import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import {
  approveWaiting,
  buildAccountInForce,
  seenOf,
  buildPerson,
} from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { savePaySettings } from '../acts/settings.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
  ...dashboardRoutes(services),
])
const { enterPaymentResults, readResultFile, returnPayment } = paymentResultsEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

/** Manila has earned ₱300.00 in the first half of February, which is closed. */
beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await buildAccountInForce(db, world.offices.manila)
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
})

const get = async (id: number) =>
  (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
const balance = async (who = bob) =>
  (
    await call(who, balancesEndpoints.balance, {
      params: { kind: 'office', id: world.offices.manila },
    })
  ).body
const owed = async (): Promise<number> => (await balance()).balances[0].balance
const statement = async () =>
  (
    await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
  ).body.items.find(({ period }: { period: { name: string } }) => period.name === '2026-02-A')
/** A run that was prepared on a day. */
async function prepared(day: string): Promise<number> {
  services.clock.set(`${day}T18:00:00Z`)
  const body = { period: null, currency: 'PHP', templateId: 1 }
  return (await call(ann, paymentRunsEndpoints.preparePaymentRun, { body })).body.id
}
/** Approves a run, and takes its file. */
async function send(id: number) {
  const params = { id }
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files, lines } = await get(id)
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  return { id, line: lines[0] as { id: number; reference: string; amount: number } }
}
/** A run whose files were taken on a day. */
const sent = async (day: string) => send(await prepared(day))
/** The same, and all paid. */
async function paid(day: string) {
  const run = await sent(day)
  const body = { allPaid: true }
  await call(ann, enterPaymentResults, { params: { id: run.id }, body })
  return run
}
const comeBack = (
  { id, line }: { id: number; line: { id: number } },
  { returnedOn = '2026-02-20', ...more }: { returnedOn?: string; reason?: string } = {},
) =>
  call(ann, returnPayment, {
    params: { id },
    body: { lineId: line.id, returnedOn, reason: 'Account closed', ...more },
  })
const columns = {
  reference: 'Ref',
  status: 'Status',
  paid: ['Completed'],
  failed: ['Failed', 'Returned'],
  amount: null,
  reason: 'Reason',
  bankReference: null,
}
const readFile = (id: number, rows: string, more: object = {}) =>
  call(ann, readResultFile, {
    params: { id },
    body: {
      file: Buffer.from(`Ref,Status,Reason\n${rows}\n`).toString('base64'),
      columns,
      take: true,
      ...more,
    },
  })
const findings = async () => (await verifyPay(db)).findings

test('what came back is owed again once a second person agrees, and the next run pays it under a new reference', async () => {
  const run = await paid('2026-02-17')
  expect(await owed()).toBe(0)
  services.clock.set('2026-02-21T15:00:00Z')
  expect((await comeBack(run)).status).toBe(200)
  expect(await owed()).toBe(0)
  expect(await get(run.id)).toMatchObject({
    state: 'finished',
    lines: [
      {
        state: 'paid',
        returned: null,
        returnWaits: { on: '2026-02-20', by: 'ann', reason: 'Account closed' },
      },
    ],
  })
  expect((await call(bob, payProposalsEndpoints.payProposals)).body).toMatchObject([
    {
      does: {
        kind: 'return',
        amount: 300_00,
        reference: run.line.reference,
        returnedOn: '2026-02-20',
      },
      isYours: false,
      outdated: null,
    },
  ])
  await approveWaiting(services)

  expect(await owed()).toBe(300_00)
  expect(await get(run.id)).toMatchObject({
    state: 'finished',
    paid: 0,
    returned: 1,
    lines: [
      {
        state: 'returned',
        by: 'ann',
        returned: { on: '2026-02-20', by: 'ann', reason: 'Account closed' },
        returnWaits: null,
      },
    ],
  })
  expect((await balance()).entries).toMatchObject([
    {
      kind: 'returned',
      amount: 300_00,
      balance: 300_00,
      reason: 'Account closed',
      returnedOn: '2026-02-20',
    },
    { kind: 'payment', amount: -300_00, payment: { state: 'returned', lastCharacters: '7890' } },
    { kind: 'statement', amount: 300_00 },
  ])
  expect(await findings()).toEqual([])

  const next = await paid('2026-02-23')
  expect(next.line.reference).not.toBe(run.line.reference)
  expect(next.line.amount).toBe(300_00)
  expect(await owed()).toBe(0)
  expect(await statement()).toMatchObject({ state: 'paid', paidOn: '2026-02-23' })
  expect(await findings()).toEqual([])
})

test('the bank’s file brings money back at once, also after “All paid” was a mistake, and reading it again changes nothing', async () => {
  const run = await paid('2026-02-17')
  const { reference } = run.line
  services.clock.set('2026-02-19T15:00:00Z')
  const returned = `${reference},Returned,R03`
  expect((await readFile(run.id, returned, { take: false })).body.returned).toEqual([
    { reference, payee: 'Manila', amount: 300_00, on: null },
  ])
  expect(await owed()).toBe(0)
  const days = { returnedOn: '2026-02-18' }
  expect((await readFile(run.id, returned, days)).body).toMatchObject({
    paid: 0,
    failed: 0,
    returned: [{ reference }],
    known: 0,
  })
  expect(await owed()).toBe(300_00)
  expect((await get(run.id)).lines).toMatchObject([
    { state: 'returned', returned: { on: '2026-02-18', by: 'ann', reason: 'R03' } },
  ])
  // The file from before says that it was paid, which it was.
  for (const rows of [returned, `${reference},Completed,`]) {
    expect((await readFile(run.id, rows)).body).toMatchObject({ returned: [], paid: 0, known: 1 })
  }
  expect(await owed()).toBe(300_00)
  expect(await findings()).toEqual([])
})

test('only what was paid comes back, and only once', async () => {
  const run = await sent('2026-02-17')
  const message = async () => {
    const { status, body } = await comeBack(run)
    expect(status).toBe(409)
    return body.message
  }
  expect(await message()).toContain('has no result yet. Enter that it failed.')
  await call(ann, enterPaymentResults, { params: { id: run.id }, body: { allPaid: true } })
  services.clock.set('2026-02-20T18:00:00Z')
  // By hand, it is an act of its own.
  const lines = [{ reference: run.line.reference, paid: false, reason: 'x' }]
  expect(
    (await call(ann, enterPaymentResults, { params: { id: run.id }, body: { lines } })).body.data,
  ).toEqual({ 'lines.0.reference': [expect.stringContaining('enter that it was returned')] })
  expect((await comeBack({ ...run, line: { id: run.line.id + 1 } })).status).toBe(404)
  await comeBack(run)
  expect(await message()).toContain('ann has already entered that')
  // The bank's file decides before the second person does.
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect((await call(bob, payProposalsEndpoints.payProposals)).body).toMatchObject([
    { outdated: 'ann has entered it in the meantime.' },
  ])
  expect(await message()).toContain('came back on 2026-02-20, which has been entered already')
  expect(await owed()).toBe(300_00)

  const failed = await sent('2026-02-23')
  await readFile(failed.id, `${failed.line.reference},Failed,R03`)
  expect((await comeBack(failed)).body.message).toContain('failed, so its amount is in the balance')
})

test('of two who enter it at the same moment, one is told', async () => {
  const run = await paid('2026-02-17')
  services.clock.set('2026-02-20T18:00:00Z')
  const answers = await Promise.all([comeBack(run), comeBack(run)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test.each([
  ['2026-02-16', 'must not be before 2026-02-17, when the files of'],
  ['2026-02-21', 'must not be after 2026-02-20, today where the bank is'],
])('money can’t come back on %s', async (returnedOn, problem) => {
  const run = await paid('2026-02-17')
  // Already the 21st in Manila.
  services.clock.set('2026-02-21T02:00:00Z')
  const { status, body } = await comeBack(run, { returnedOn })
  expect(status).toBe(422)
  expect(body.data.returnedOn).toEqual([expect.stringContaining(problem)])
  const file = await readFile(run.id, `${run.line.reference},Returned,R03`, { returnedOn })
  expect(file.body.data.returnedOn).toEqual([expect.stringContaining(problem)])
  expect(await owed()).toBe(0)
})

test('money comes back on a day where the bank is, on both sides of New York’s midnight', async () => {
  await savePaySettings(services, ann, {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'instead',
    minimumCentavos: 0,
    minimumCents: 0,
    bankTimeZone: 'Asia/Manila',
  })
  // The 17th in New York is over in Manila.
  const run = await paid('2026-02-17')
  const refused = async (returnedOn: string) =>
    (await comeBack(run, { returnedOn })).body.data?.returnedOn
  services.clock.set('2026-02-20T15:59:59Z')
  expect(await refused('2026-02-21')).toEqual([
    'must not be after 2026-02-20, today where the bank is',
  ])
  expect(await refused('2026-02-17')).toEqual([
    expect.stringContaining('must not be before 2026-02-18, when the files of'),
  ])
  services.clock.set('2026-02-20T16:00:00Z')
  expect((await comeBack(run, { returnedOn: '2026-02-21' })).status).toBe(200)
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect((await get(run.id)).lines).toMatchObject([{ returned: { on: '2026-02-21' } }])
  expect(await findings()).toEqual([])
})

test('a statement says that its payment came back, unless the next statement or a later run has it', async () => {
  const run = await paid('2026-02-17')
  expect(await statement()).toMatchObject({ state: 'paid', paidOn: '2026-02-17' })
  services.clock.set('2026-02-18T15:00:00Z')
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect(await statement()).toMatchObject({ state: 'returned', paidOn: null, carriedInto: null })

  await world.sell('b', 'maria', '2026-02-19', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  expect(await statement()).toMatchObject({ state: 'carried', carriedInto: '2026-02-B' })
  const next = await paid('2026-03-03')
  expect(next.line.amount).toBe(600_00)
  expect(await statement()).toMatchObject({ state: 'carried', carriedInto: '2026-02-B' })
})

test('money that comes back long after the next period was closed is on no statement, until one carries it', async () => {
  const first = await paid('2026-02-17')
  await world.sell('b', 'maria', '2026-02-19', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  await paid('2026-03-03')
  services.clock.set('2026-03-04T15:00:00Z')
  await readFile(first.id, `${first.line.reference},Returned,R03`)
  expect(await statement()).toMatchObject({ state: 'returned', carriedInto: null })
  expect(await owed()).toBe(300_00)

  await world.sell('c', 'maria', '2026-03-05', { plain: true })
  await world.close('2026-03-A', '2026-03-16')
  expect(await statement()).toMatchObject({ state: 'carried', carriedInto: '2026-03-A' })
  const { items } = (
    await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
  ).body
  expect(
    items.find(({ period }: { period: { name: string } }) => period.name === '2026-03-A'),
  ).toMatchObject({ amount: 300_00, carried: 300_00 })
  expect((await paid('2026-03-17')).line.amount).toBe(600_00)
  expect(await findings()).toEqual([])
})

test.each([
  [
    'a minute before',
    '2026-03-02T14:59:00Z',
    { state: 'carried', carriedInto: '2026-02-B' },
    300_00,
  ],
  ['a minute after', '2026-03-02T15:01:00Z', { state: 'returned', carriedInto: null }, 0],
] as const)(
  'what comes back on the day of closing, %s, is on its statement or on none',
  async (_, at, became, carried) => {
    const first = await paid('2026-02-17')
    await world.sell('b', 'maria', '2026-02-19', { plain: true })
    const comesBack = async () => {
      services.clock.set(at)
      await readFile(first.id, `${first.line.reference},Returned,R03`)
    }
    if (carried > 0) await comesBack()
    await world.close('2026-02-B', '2026-03-02')
    if (carried === 0) await comesBack()
    const { items } = (
      await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
    ).body
    expect(items).toMatchObject([{ amount: 300_00, carried }, became])
    expect(await owed()).toBe(600_00)
    expect((await paid('2026-03-03')).line.amount).toBe(600_00)
    expect(await findings()).toEqual([])
  },
)

test('Home says what came back until it is paid again', async () => {
  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  const next = async () => (await call(office, homeEndpoints.home)).body.pay.next
  await execute(connection, `update options set value = '1' where name = 'payout_visible'`)
  const run = await sent('2026-02-17')
  expect(await next()).toMatchObject({ step: 'sent', amount: 300_00, returned: 0 })
  await call(ann, enterPaymentResults, { params: { id: run.id }, body: { allPaid: true } })
  expect(await next()).toMatchObject({ step: 'earning', returned: 0 })
  services.clock.set('2026-02-18T15:00:00Z')
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect(await next()).toMatchObject({ step: 'closed', amount: 300_00, returned: 300_00 })
  await paid('2026-02-19')
  expect(await next()).toMatchObject({ step: 'earning', returned: 0 })
})

test('a run that was prepared before money came back does not take it', async () => {
  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  const next = async () => (await call(office, homeEndpoints.home)).body.pay.next
  await execute(connection, `update options set value = '1' where name = 'payout_visible'`)
  const first = await paid('2026-02-17')
  await world.sell('b', 'maria', '2026-02-19', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  const second = await prepared('2026-03-03')
  await readFile(first.id, `${first.line.reference},Returned,R03`, { returnedOn: '2026-03-03' })
  expect(await next()).toMatchObject({ step: 'prepared', amount: 600_00, returned: 300_00 })
  await send(second)
  expect(await next()).toMatchObject({ step: 'sent', amount: 300_00, returned: 0 })
  await call(ann, enterPaymentResults, { params: { id: second }, body: { allPaid: true } })
  expect(await next()).toMatchObject({ step: 'earning', carried: 300_00, returned: 300_00 })
})

test('what comes back from a payee who was deleted, or changed its currency, stands in their balance', async () => {
  const run = await paid('2026-02-17')
  await world.payIn('USD', world.offices.manila)
  services.clock.set('2026-02-18T15:00:00Z')
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect((await balance()).balances).toMatchObject([
    { currency: 'PHP', balance: 300_00, state: 'no-account' },
  ])
  await execute(connection, `update payment_run_lines set payee_kind = 'agent', payee_id = 999`)
  await execute(connection, `update balance_entries set payee_kind = 'agent', payee_id = 999`)
  expect((await call(bob, balancesEndpoints.balances)).body).toMatchObject([
    { payee: { kind: 'agent', id: 999, name: 'deleted agent 999' }, balance: 300_00 },
  ])
})

test.each([
  [
    'a return without its entry',
    `delete from balance_entries where kind = 'returned'`,
    'lacks the entry “returned”',
  ],
  ['an entry without its return', 'delete from payment_returns', 'an entry “returned” of P1R'],
  [
    'a return of what was not paid',
    'update payment_results set paid = false',
    'came back, but was not paid',
  ],
  [
    'a return on a day that had not begun anywhere',
    'update payment_returns set returned_on = returned_on + 2',
    'came back on a day that was impossible',
  ],
  [
    'a return before its file left',
    'update payment_returns set returned_on = returned_on - 3',
    'came back on a day that was impossible',
  ],
  [
    'a return by hand that nobody approved',
    'update payment_returns set by_hand = true',
    'The return of P1R',
  ],
])('verify names %s', async (_, change, finding) => {
  const run = await paid('2026-02-17')
  services.clock.set('2026-02-18T15:00:00Z')
  await readFile(run.id, `${run.line.reference},Returned,R03`)
  expect(await findings()).toEqual([])
  await execute(connection, change)
  expect((await findings()).join('\n')).toContain(finding)
})

test('what comes back after the next period was paid is paid again, and that period keeps its own transfer', async () => {
  const first = await paid('2026-02-17')
  await world.sell('b', 'maria', '2026-02-18', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  const second = await paid('2026-03-03')
  services.clock.set('2026-03-05T15:00:00Z')
  await comeBack(first, { returnedOn: '2026-03-05' })
  await approveWaiting(services)
  const again = await paid('2026-03-06')
  const { items } = (
    await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
  ).body
  const numbers = await Promise.all([second, again].map(async ({ id }) => (await get(id)).number))
  expect(items).toMatchObject([
    { period: { name: '2026-02-B' }, state: 'paid', payment: { run: numbers[0] } },
    { period: { name: '2026-02-A' }, state: 'paid', payment: { run: numbers[1] } },
  ])
  expect(await findings()).toEqual([])
})

test('Home and the list say how far the run is, to an agent whose office is paid, too', async () => {
  const { manila } = world.offices
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  const agent = viewer({ role: 'agent', officeId: manila, agentId: world.agents.maria })
  await execute(connection, `update options set value = '1' where name = 'payout_visible'`)
  const stands = async (who: typeof office) => {
    const { next, last } = (await call(who, homeEndpoints.home)).body.pay
    const query = { page: '1', pageSize: '50' }
    const { items } = (await call(who, statementsEndpoints.statements, { query })).body
    return { next: next.step, by: next.expectedBy, last: last.statement.step, item: items[0].step }
  }
  const all = async () => [await stands(office), await stands(agent)]
  const twice = (step: string | null, next = step, by: string | null = null) => {
    const one = { next, by, last: step, item: step }
    return [one, one]
  }
  services.clock.set('2026-02-17T18:00:00Z')
  // Nobody has been paid yet, so no day is usual.
  expect(await all()).toEqual(twice(null, 'closed'))
  const asked = {
    period: null,
    currency: 'PHP',
    templateId: 1,
    executionDay: '2026-02-19',
  }
  const { id } = (await call(ann, paymentRunsEndpoints.preparePaymentRun, { body: asked })).body
  expect(await all()).toEqual(twice('prepared'))
  const params = { id }
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  expect(await all()).toEqual(twice('approved', 'approved', '2026-02-19'))
  const { files } = await get(id)
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  expect(await all()).toEqual(twice('sent', 'sent', '2026-02-19'))
  services.clock.set('2026-02-19T18:00:00Z')
  await call(ann, enterPaymentResults, { params, body: { allPaid: true } })
  // Four days after 15 February, so of the next period four days after the 28th.
  expect(await all()).toEqual(twice(null, 'earning', '2026-03-04'))
})
