import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { approveWaiting, buildAccountInForce, seenOf } from '../../../test/payment-world.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { verifyPay } from './verify-pay.ts'
import { exportPeriod } from '../closing/export-period.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(paymentRunsRoutes(services))

beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  const { sell, reverse, close, who, offices } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('b', 'maria', '2026-02-03')
  await sell('c', 'noel', '2026-02-04', { fraud: true, plain: true })
  const payee = { kind: 'office', id: offices.cebu } as const
  await createAdjustment(services, who, payee, { currency: 'PHP', amount: 12_34, reason: '=1+1' })
  await close('2026-02-A', '2026-02-16')
  await reverse('b', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  await sealWorld(db)
})

test('closed statements match what was booked; late events are counted', async () => {
  expect(await verifyPay(db)).toMatchObject({
    findings: [],
    periods: 2,
    statements: 3,
    late: 0,
  })
})

test.each([
  [
    'update bookings set payout_centavos = payout_centavos + 1 where rate_centavos = 30000',
    /2026-02-A-000\d differs|differs from the event/,
  ],
  ['update bookings set fraud = not fraud', /The booking of event/],
  ['delete from bookings', /on no statement|differs/],
  [`update statements set content = content || ' '`, /Statement 2026-02-A-0001 differs/],
  [`update statements set content_hash = '\\x00'`, /a different content hash/],
  ['update statements set amount = amount + 1', /differs from its content/],
  ['update tier_payments set centavos = centavos + 1', /do not add up/],
  ['update tier_payments set paid_sales = paid_sales + 1', /were paid|differs/],
  ['delete from balance_entries', /has no balance entry/],
  ['update balance_entries set amount = amount + 1', /differs from its balance entry/],
  [`update adjustments set reason = 'another'`, /Statement 2026-02-A-0001 differs/],
  ['update sale_events set office_id = office_id + 1', /The booking of event/],
  ['delete from sale_events', /no longer exists/],
  [`delete from statements where number like '2026-02-B%'`, /statement that does not exist/],
  [`update pay_periods set closed_by_name = 'nobody'`, /differs from what was booked/],
])('the owner’s %s is reported', async (change, finding) => {
  await execute(connection, change)
  const { findings } = await verifyPay(db)
  expect(findings.join('\n')).toMatch(finding)
})

describe('payments', () => {
  beforeEach(payOut)

  test('a transfer that was paid, one that failed, and one of a cancelled run match their entries', async () => {
    expect((await verifyPay(db)).findings).toEqual([])
    const kinds = await db.selectFrom('balance_entries').select('kind').orderBy('id').execute()
    expect(kinds.map(({ kind }) => kind).filter((kind) => kind !== 'statement')).toEqual([
      'payment',
      'payment',
      'failed',
      'payment',
      'cancelled',
    ])
  })

  test.each([
    [
      `update balance_entries set amount = amount - 1 where kind = 'payment'`,
      /“payment” of P1R\d+N1 differs from its payment run/,
    ],
    [`delete from balance_entries where kind = 'payment'`, /lacks the entry “payment”/],
    [`delete from balance_entries where kind = 'failed'`, /lacks the entry “failed”/],
    [`delete from balance_entries where kind = 'cancelled'`, /lacks the entry “cancelled”/],
    [
      `update balance_entries set payee_id = payee_id + 1 where kind = 'failed'`,
      /differs from its payment run/,
    ],
    ['update payment_run_lines set amount = amount + 1', /differs from its payment run/],
    ['update payment_results set paid = false', /lacks the entry “failed”/],
    ['update payment_results set paid = true', /“failed” of P1R\d+N2, which should not exist/],
    [
      `delete from payment_run_steps where step = 'cancelled'`,
      /“cancelled” of .*, which should not exist/,
    ],
    ['delete from payment_run_lines', /of a line that does not exist/],
  ])('the owner’s %s is named', async (change, finding) => {
    await execute(connection, change)
    expect((await verifyPay(db)).findings.join('\n')).toMatch(finding)
  })
})

/** A run that pays Manila and fails for Cebu, and one over the rest that is approved and cancelled. */
async function payOut() {
  for (const { id } of await db.selectFrom('offices').select('id').execute())
    await buildAccountInForce(db, id)
  await sealWorld(db)
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map(async (username) => ({
      ...viewer(),
      accountId: await buildAccount(db, { username }),
    })),
  )
  const { preparePaymentRun, paymentRun, approvePaymentRun, takePaymentFile, cancelPaymentRun } =
    paymentRunsEndpoints
  const { enterPaymentResults } = paymentResultsEndpoints
  const approved = async () => {
    const body = { period: null, currency: 'PHP', templateId: 1 }
    const { id } = (await call(ann!, preparePaymentRun, { body })).body
    const run = (await call(bob!, paymentRun, { params: { id } })).body
    await call(bob!, approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
    return { params: { id }, run }
  }
  const { params, run } = await approved()
  await call(bob!, takePaymentFile, { params, body: { name: run.files[0].name } })
  const lines = run.lines.map(({ reference }: { reference: string }, index: number) => ({
    reference,
    paid: index === 0,
    reason: 'Account closed',
  }))
  await call(ann!, enterPaymentResults, { params, body: { lines } })
  await approveWaiting(services)
  const again = await approved()
  await call(ann!, cancelPaymentRun, { params: again.params, body: { reason: 'Wrong bank' } })
}

test.each([
  'bookings',
  'statements',
  'tier_payments',
  'pay_periods',
  'balance_entries',
  'adjustments',
  'booked_adjustments',
])('the app can neither change nor delete %s', async (table) => {
  const column = (await db.introspection.getTables())
    .find(({ name }) => name === table)!
    .columns.at(-1)!.name
  const { rows } = await database.pool.query(`select * from ${table}`)
  expect(rows.length).toBeGreaterThan(0)
  for (const change of [
    `update ${table} set ${column} = ${column}`,
    `delete from ${table}`,
    `truncate ${table}`,
  ]) {
    await expect(database.pool.query(change)).rejects.toThrow('permission denied')
  }
})

test('a period’s export adds up to its statements', async () => {
  const rows = await exportPeriod(db, '2026-02-A')
  const statements = await db
    .selectFrom('statements')
    .select(['number', 'amount', 'currency'])
    .where('number', 'like', '2026-02-A-%')
    .execute()
  expect(statements.length).toBeGreaterThan(0)
  for (const { number, amount, currency } of statements) {
    const sum = (where: string, entries: readonly string[]) =>
      rows
        .filter((row) => row.statement === number && row.currency === where)
        .filter((row) => entries.includes(row.entry))
        .reduce((total, row) => total + Number(row.amount), 0)
    const lines = ['event', 'tier', 'adjustment', 'conversion']
    expect([sum(currency, lines), sum(currency, ['total'])]).toEqual([amount, amount])
    expect(sum(currency === 'PHP' ? 'USD' : 'PHP', lines)).toBe(0)
  }
  await expect(exportPeriod(db, '2026-03-A')).rejects.toThrow(
    'Pay has no such period that is closed.',
  )
})
