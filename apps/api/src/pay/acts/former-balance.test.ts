import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { approveWaiting, buildAccountInForce, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { getJournal } from '../books/journal.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
])
const proposals = payProposalsEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
let cebu = 0

/** Gives Cebu another account, in force at once. */
const payIn = async (currency: 'PHP' | 'USD') => {
  await buildAccountInForce(db, cebu, { currency })
  await sealWorld(db)
}

/** Cebu was paid in dollars, and ₱300.00 at ₱60.00 made $5.00. Then it entered an account in pesos. */
beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  cebu = world.offices.cebu
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await payIn('USD')
  await world.sell('a', 'noel', '2026-02-03', { plain: true })
  services.clock.set('2026-02-16T15:00:00Z')
  await call(ann, payEndpoints.savePayExchangeRate, {
    params: { name: '2026-02-A' },
    body: { pesosE4: 60_0000, source: 'BSP' },
  })
  await world.close('2026-02-A', '2026-02-16')
  await payIn('PHP')
})

const convert = (own: object = {}, who = ann) =>
  call(who, balancesEndpoints.convertBalance, {
    body: {
      kind: 'office',
      id: cebu,
      currency: 'USD',
      pesosE4: 57_1250,
      source: 'BSP, 16 Feb',
      ...own,
    },
  })
const adjust = (amount: number, own: object = {}) =>
  call(ann, balancesEndpoints.createAdjustment, {
    body: { kind: 'office', id: cebu, currency: 'USD', amount, reason: 'A correction', ...own },
  })
const approve = (id: number, who = bob) =>
  call(who, proposals.approvePayProposal, { params: { id } })
const balance = async (who: Viewer = bob) =>
  (await call(who, balancesEndpoints.balance, { params: { kind: 'office', id: cebu } })).body
const sums = async () =>
  Object.fromEntries(
    (await balance()).balances.map((one: { currency: string; balance: number }) => [
      one.currency,
      one.balance,
    ]),
  )
const outdated = async () => (await call(bob, proposals.payProposals)).body[0]?.outdated

test('a former balance is converted by two people, in two entries, and the next run pays it', async () => {
  const { status, body } = await convert()
  expect(status).toBe(200)
  expect(await approve(body.proposalId, ann)).toMatchObject({ status: 403 })
  expect(await sums()).toEqual({ USD: 5_00 })
  expect((await call(bob, proposals.payProposals)).body).toMatchObject([
    {
      does: { kind: 'conversion', amount: 5_00, pesosE4: 57_1250, converted: 285_63 },
      outdated: null,
      reason: 'BSP, 16 Feb',
    },
  ])
  expect((await approve(body.proposalId)).status).toBe(200)
  // 500 × 57.125 = 28,562.5 centavos, half away from zero.
  expect(await sums()).toEqual({ PHP: 285_63, USD: 0 })
  const office = viewer({ role: 'company', officeId: cebu, agentId: undefined })
  for (const who of [bob, office])
    expect((await balance(who)).entries).toMatchObject([
      { kind: 'conversion', currency: 'PHP', amount: 285_63, balance: 285_63, pesosE4: 57_1250 },
      { kind: 'conversion', currency: 'USD', amount: -5_00, balance: 0, reason: 'BSP, 16 Feb' },
      { kind: 'statement', currency: 'USD', amount: 5_00 },
    ])
  const { items } = (await call(bob, statementsEndpoints.statements)).body
  expect(items).toMatchObject([{ number: '2026-02-A-0001', state: 'converted' }])

  const run = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = (await call(bob, paymentRunsEndpoints.preparePaymentRun, { body: run })).body
  const shown = (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  expect(shown.lines).toMatchObject([{ amount: 285_63 }])
  expect(JSON.stringify(shown)).toContain(
    'Converted from a former balance: ₱285.63 at ₱57.125 for $1',
  )
  // Two people decided it, so it bars neither; ann has to tick it.
  expect(shown.approvers).toContainEqual(expect.objectContaining({ name: 'ann', whyNot: null }))
  const unseen = await call(ann, paymentRunsEndpoints.approvePaymentRun, {
    params: { id },
    body: { amount: 285_63 },
  })
  expect(unseen).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Converted from a former balance') },
  })
  expect((await verifyWorld(db)).findings).toEqual([])

  // The next statement carries it.
  await call(bob, paymentRunsEndpoints.cancelPaymentRun, { params: { id }, body: { reason: 'x' } })
  await world.sell('b', 'noel', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  expect(await sums()).toEqual({ PHP: 585_63, USD: 0 })
  expect((await verifyPay(db)).findings).toEqual([])
})

test.each<[string, object, number, RegExp]>([
  ['of the currency in which they are paid', { currency: 'PHP' }, 409, /is paid in pesos now/],
  ['at less than a peso', { pesosE4: 9_999 }, 422, /at least 1 peso/],
  ['without a source', { source: ' ' }, 422, /source/],
  ['of nobody', { id: 9_999_998 }, 404, /office/i],
])('refused: a conversion %s', async (_, own, status, told) => {
  const answer = await convert(own)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toMatch(told)
})

test('refused: a conversion of nothing, and of a balance in a run', async () => {
  await payIn('USD')
  const run = { period: null, currency: 'USD', templateId: 1 }
  const { id } = (await call(bob, paymentRunsEndpoints.preparePaymentRun, { body: run })).body
  await payIn('PHP')
  const why = 'The balance in dollars is in a payment run that is not finished.'
  expect(await convert()).toMatchObject({ status: 409, body: { message: why } })
  expect(await adjust(-1)).toMatchObject({ status: 409, body: { message: why } })
  await call(bob, paymentRunsEndpoints.cancelPaymentRun, { params: { id }, body: { reason: 'x' } })
  await adjust(-5_00)
  await approveWaiting(services)
  expect(await convert()).toMatchObject({
    status: 409,
    body: { message: 'The payee has no balance in dollars.' },
  })
})

test('refused: a conversion that leaves nothing', async () => {
  await adjust(-4_99)
  await approveWaiting(services)
  await payIn('USD')
  await adjust(-1)
  await execute(connection, `update balance_entries set currency = 'PHP'`)
  expect(await convert({ currency: 'PHP', pesosE4: 1000_0000 })).toMatchObject({ status: 422 })
})

test('a conversion is outdated once the balance has changed, or is in a run', async () => {
  const { proposalId } = (await convert()).body
  await adjust(1)
  const [, { id: correction }] = (await call(bob, proposals.payProposals)).body
  expect((await approve(correction)).status).toBe(200)
  expect(await outdated()).toBe('The balance is $5.01 now, not $5.00.')
  expect((await approve(proposalId)).status).toBe(409)
  expect(await sums()).toEqual({ USD: 5_01 })
})

test('a payee that changes its currency twice is paid in it again, and keeps both balances apart', async () => {
  const { proposalId } = (await convert()).body
  await world.sell('b', 'noel', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  await payIn('USD')
  expect(await outdated()).toBe('The payee is paid in dollars now.')
  expect((await approve(proposalId)).status).toBe(409)
  expect(await sums()).toEqual({ PHP: 300_00, USD: 5_00 })
  // Now the pesos are the former balance: ₱300.00 at ₱57.125 is $5.2516.
  const again = (await convert({ currency: 'PHP' })).body.proposalId
  expect((await approve(again)).status).toBe(200)
  expect(await sums()).toEqual({ PHP: 0, USD: 10_25 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a former balance is written off by two people; without one, only the currency in force is adjusted', async () => {
  const { body } = await adjust(-5_00)
  expect(body).toEqual({ id: null, proposalId: expect.any(Number) })
  expect((await balance()).waiting).toMatchObject([{ kind: 'correction', amount: -5_00 }])
  expect((await approve(body.proposalId, ann)).status).toBe(403)
  expect((await approve(body.proposalId)).status).toBe(200)
  const { entries, balances } = await balance()
  expect(balances).toMatchObject([{ currency: 'USD', balance: 0 }])
  expect(entries[0]).toMatchObject({ kind: 'correction', amount: -5_00, reason: 'A correction' })
  expect((await call(bob, statementsEndpoints.statements)).body.items).toMatchObject([
    { number: '2026-02-A-0001', state: 'written-off' },
  ])
  expect(await booked()).toEqual(['write-off', 'Write-off of a former balance: A correction'])
  expect(await adjust(-1)).toMatchObject({
    status: 422,
    body: { data: { currency: ['must be pesos'] } },
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a correction that was entered before money was received is not approved after it', async () => {
  await approve((await adjust(-8_00)).body.proposalId)
  const { proposalId } = (await adjust(3_00)).body
  const { body } = await call(ann, balancesEndpoints.receiveMoney, {
    body: {
      kind: 'office',
      id: cebu,
      currency: 'USD',
      amount: 2_00,
      way: 'cash',
      paidOn: '2026-02-16',
      voucher: 'R-1',
      reason: 'Paid back',
    },
  })
  expect((await approve(body.proposalId)).status).toBe(200)
  expect(await outdated()).toContain('$2.00 was received in the meantime, and the balance is')
  expect((await approve(proposalId)).status).toBe(409)
  expect(await sums()).toMatchObject({ USD: -1_00 })
})

test('a former balance that is corrected but not to nothing is no write-off', async () => {
  await approve((await adjust(-4_00)).body.proposalId)
  expect((await call(bob, statementsEndpoints.statements)).body.items).toMatchObject([
    { state: 'due' },
  ])
  expect(await booked()).toEqual(['correction', 'Correction of a former balance: A correction'])
})

/** What the period's export and the journal call the correction. */
async function booked() {
  await world.close('2026-02-B', '2026-03-01')
  const rows = await exportPeriod(db, '2026-02-B')
  const { lines } = await getJournal(services, '2026-02')
  return [
    rows.find(({ text }) => text === 'A correction')?.entry,
    lines.find(({ text }) => text.includes('A correction'))?.text,
  ]
}

test('nothing of a former balance is held back for an agent', async () => {
  expect((await adjust(-1, { heldBackFor: world.agents.noel })).status).toBe(422)
})

test('a former balance can be paid in cash', async () => {
  const paid = await call(ann, balancesEndpoints.payOutside, {
    body: {
      kind: 'office',
      id: cebu,
      currency: 'USD',
      amount: 5_00,
      way: 'cash',
      paidOn: '2026-02-16',
      voucher: '7',
      reason: 'The last dollars',
    },
  })
  expect((await approve(paid.body.proposalId)).status).toBe(200)
  expect(await sums()).toEqual({ USD: 0 })
})

test('what a payee owes in a former currency is converted as well', async () => {
  await adjust(-10_00)
  await approveWaiting(services)
  expect((await approve((await convert()).body.proposalId)).status).toBe(200)
  // −500 × 57.125 = −28,562.5, half away from zero.
  expect(await sums()).toEqual({ PHP: -285_63, USD: 0 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test.each([
  [
    `update balance_entries set amount = amount + 1 where kind = 'conversion' and currency = 'PHP'`,
    /differs from it/,
  ],
  [
    `update balance_entries set amount = -499 where kind = 'conversion' and currency = 'USD'`,
    /did not convert the whole balance/,
  ],
  [`delete from balance_entries where kind = 'conversion' and currency = 'PHP'`, /lacks its entry/],
  [`update pay_proposals set pesos_e4 = 600000 where kind = 'conversion'`, /differs from it/],
  [
    `update balance_entries set amount = 501 where kind = 'statement'`,
    /did not convert the whole balance/,
  ],
])('the owner’s %s is named', async (change, finding) => {
  expect((await approve((await convert()).body.proposalId)).status).toBe(200)
  expect((await verifyPay(db)).findings).toEqual([])
  await execute(connection, change)
  expect((await verifyPay(db)).findings.join('\n')).toMatch(finding)
})
