import { beforeEach, expect, test } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { createAdjustment } from './balances.ts'
import { exportPeriod, verifyPay } from './index.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

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
})

test('closed statements match what was booked; late events are counted', async () => {
  expect(await verifyPay(db)).toEqual({ findings: [], periods: 2, statements: 3, late: 0 })
})

test.each([
  [
    'update bookings set payout_centavos = payout_centavos + 1 where rate_centavos = 30000',
    /2026-02-A-000\d differs|differs from the event/,
  ],
  ['update bookings set fraud = not fraud', /The booking of event/],
  ['delete from bookings', /on no statement|differs/],
  [`update statements set content = content || ' '`, /Statement 2026-02-A-0001 differs/],
  [`update statements set content_hash = '\\x00'`, /another content hash/],
  ['update statements set amount = amount + 1', /another amount/],
  ['update tier_payments set centavos = centavos + 1', /do not add up/],
  ['update tier_payments set paid_sales = paid_sales + 1', /were paid|differs/],
  ['delete from balance_entries', /has no balance entry/],
  ['update balance_entries set amount = amount + 1', /differs from its balance entry/],
  [`update adjustments set reason = 'another'`, /Statement 2026-02-A-0001 differs/],
  ['update sale_events set office_id = office_id + 1', /The booking of event/],
  ['delete from sale_events', /no longer exists/],
  [`update pay_periods set closed_by_name = 'nobody'`, /differs from what was booked/],
])('the owner’s %s is reported', async (change, finding) => {
  await execute(connection, change)
  const { findings } = await verifyPay(db)
  expect(findings.join('\n')).toMatch(finding)
})

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
    .select(['number', 'amount'])
    .where('number', 'like', '2026-02-A-%')
    .execute()
  for (const { number, amount } of statements) {
    const own = rows.filter((row) => row.statement === number && row.entry !== 'carried')
    expect(own.reduce((sum, row) => sum + Number(row.amount), 0)).toBe(amount)
  }
  await expect(exportPeriod(db, '2026-03-A')).rejects.toThrow('no such closed period')
})
