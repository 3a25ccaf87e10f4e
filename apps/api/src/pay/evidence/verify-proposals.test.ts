import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildAccountInForce,
  seenOf,
  buildPerson,
} from '../../../test/payment-world.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

const adjust = (amount: number, who = ann): Promise<{ body: { id: number } }> =>
  call(who, balancesEndpoints.createAdjustment, {
    body: { kind: 'office', id: world.offices.manila, currency: 'PHP', amount, reason: 'A bonus' },
  })
const takeBack = (id: number, who = ann) =>
  call(who, balancesEndpoints.takeBackAdjustment, { params: { id }, body: { reason: 'A mistake' } })
const enterRate = (period: string, pesosE4: number) =>
  call(ann, payEndpoints.savePayExchangeRate, {
    params: { name: period },
    body: { pesosE4, source: 'BSP' },
  })
const propose = (centavos: number) =>
  call(ann, payProposalsEndpoints.proposePayLimits, {
    body: { adjustmentCentavos: centavos, adjustmentCents: 200_00, reason: 'A rule' },
  })

/**
 * Everything that waits for a second person was approved by one: limits (of ₱5,000.00, then of ₱8,000.00), an adjustment of
 * ₱12,000.00, an exchange rate, and a failed transfer. What needs nobody stands beside it, up to its limit.
 */
beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await buildAccountInForce(db, world.offices.manila)
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  services.clock.set('2026-02-16T15:00:00Z')
  await adjust(10_000_00)
  await adjust(12_000_00)
  await enterRate('2026-02-A', 580_000)
  await enterRate('2026-02-B', 700_000)
  await approveWaiting(services)
  await propose(5_000_00)
  await approveWaiting(services)
  await propose(8_000_00)
  await approveWaiting(services)
  await world.close('2026-02-A', '2026-02-16')
  await failByHand()
  // Corrections of one's own count as nothing, and what is on a statement no more.
  await takeBack((await adjust(8_000_00)).body.id)
  await adjust(8_000_00, bob)
})

async function failByHand() {
  const { preparePaymentRun, paymentRun, approvePaymentRun, takePaymentFile } = paymentRunsEndpoints
  const body = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = (await call(ann, preparePaymentRun, { body })).body
  const params = { id }
  await call(bob, approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files, lines } = (await call(bob, paymentRun, { params })).body
  await call(bob, takePaymentFile, { params, body: { name: files[0].name } })
  const failed = { reference: lines[0].reference, paid: false, reason: 'Account closed' }
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params,
    body: { lines: [failed] },
  })
  await approveWaiting(services)
}

test('what two people decided is what was made, and what one decided is within its limit', async () => {
  expect((await verifyPay(db)).findings).toEqual([])
  const decided = await db.selectFrom('pay_proposal_decisions').select('decision').execute()
  expect(decided).toHaveLength(5)
})

const approvedOf = (kind: string) =>
  `(select id from pay_proposals where kind = '${kind}' order by id limit 1)`
const madeBy = (kind: string) =>
  `(select made_id from pay_proposal_decisions where proposal_id = ${approvedOf(kind)})`

test.each([
  // What was made.
  ...[
    'amount = amount + 1',
    'payee_id = payee_id + 1',
    `currency = 'USD'`,
    `reason = 'x'`,
    'made_by = made_by + 1',
    `made_by_name = 'x'`,
    `made_at = made_at + interval '1 second'`,
    'opposite_of = 1000000',
  ].map((change) => [
    `update adjustments set ${change} where amount = 1200000`,
    /Proposal \d+ was approved, but its adjustment differs from it/,
  ]),
  ['delete from adjustments where amount = 1200000', /but its adjustment is missing/],
  ...['pesos_e4 = pesos_e4 + 1', `period = '2026-02-A'`, `source = 'x'`, 'set_by = 0'].map(
    (change) => [
      `update pay_exchange_rates set ${change} where pesos_e4 = 700000`,
      /Proposal \d+ was approved, but its exchange rate differs from it/,
    ],
  ),
  ['delete from pay_exchange_rates where pesos_e4 = 700000', /but its exchange rate is missing/],
  ...['paid = true', `reason = 'x'`, `bank_reference = 'x'`, 'made_by = 0', 'by_hand = false'].map(
    (change) => [`update payment_results set ${change}`, /but its result differs from it/],
  ),
  ['update payment_run_lines set amount = amount + 1', /but its result differs from it/],
  ['delete from payment_results', /but its result is missing/],
  // What was decided.
  ['update pay_proposals set amount = amount - 1', /its (adjustment|result) differs from it/],
  [
    `update pay_proposal_decisions set made_id = made_id + 1 where proposal_id = ${approvedOf('adjustment')}`,
    /its adjustment (differs|is missing)/,
  ],
  [
    `delete from pay_proposals where id = ${approvedOf('limits')}`,
    /Proposal \d+ was decided, but is missing/,
  ],
  [
    `delete from pay_proposal_decisions where proposal_id = ${approvedOf('limits')}`,
    /Proposal \d+ does not replace the limits that were in force/,
  ],
  [
    'update pay_proposal_decisions set made_by = (select made_by from pay_proposals limit 1)',
    /, who approved proposal \d+, entered it/,
  ],
  // What nobody decided.
  [
    `delete from pay_proposal_decisions where proposal_id = ${approvedOf('adjustment')}`,
    /Adjustment \d+ of office \d+ is above its limit/,
  ],
  [
    `update pay_proposal_decisions set decision = 'refused', reason = 'x' where made_id = ${madeBy('exchange rate')}`,
    /Exchange rate \d+ of 2026-02-B differs by more than 5 % from that of 2026-02-A/,
  ],
  [
    `delete from pay_proposals where kind = 'result'`,
    /The failure of P1R\d+N1, entered by hand, needs a second person/,
  ],
  [
    'update adjustments set amount = amount + 1 where amount = 1000000',
    /Adjustment \d+ of office \d+ is above its limit/,
  ],
  // The limit of its time: ₱8,000.00.
  [
    'update adjustments set amount = 800001 where id = (select max(id) from adjustments)',
    /Adjustment \d+ of office \d+ is above its limit/,
  ],
  [
    'update adjustments set opposite_of = null where opposite_of is not null',
    /Adjustment \d+ of office \d+ is above its limit/,
  ],
  [
    `insert into adjustments (payee_kind, payee_id, currency, amount, reason, made_at, made_by, made_by_name)
     select payee_kind, payee_id, currency, 1, reason, made_at, made_by, made_by_name from adjustments limit 1`,
    /Adjustment \d+ of office \d+ is above its limit/,
  ],
  [
    `insert into pay_exchange_rates (period, pesos_e4, source, set_at, set_by)
     select '2026-02-B', 10000, source, set_at, set_by from pay_exchange_rates limit 1`,
    /Exchange rate \d+ of 2026-02-B differs by more than 5 %/,
  ],
] as [string, RegExp][])('the owner’s %s is named', async (change, finding) => {
  await execute(connection, change)
  expect((await verifyPay(db)).findings.join('\n')).toMatch(finding)
})

test('what was done before there were proposals needed nobody', async () => {
  const before = '1970-01-01T00:00:00Z'
  const { manila: payee_id } = world.offices
  await emptyTables(connection, ['pay_seals'])
  await execute(
    connection,
    `update pay_seal_head set number = 0, hash = decode(repeat('00', 32), 'hex')`,
  )
  await execute(
    connection,
    `insert into adjustments (payee_kind, payee_id, currency, amount, reason, made_at, made_by, made_by_name)
     values ('office', ${payee_id}, 'PHP', 9000000, 'Before', '${before}', 1, 'ann')`,
  )
  await sealWorld(db)
  expect((await verifyPay(db)).findings).toEqual([])
})
