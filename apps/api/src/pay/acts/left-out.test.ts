import { beforeEach, expect, test } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { findLeftOut, getPaySettings } from './settings.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options']))

test('what a first day leaves out: live sales and bonuses since then that were recorded before pay was on', async () => {
  const { sell, reverse } = await buildPayWorld(services, { avp: 'instead' })
  const before = { recorded_at: new Date('2026-02-01T04:59:59Z') }
  await sell('early', 'maria', '2026-01-15', before) // ₱500.00
  await sell('late', 'maria', '2026-01-31', { ...before, plain: true }) // ₱300.00
  await sell('taken back', 'noel', '2026-01-31', before)
  await reverse('taken back', '2026-02-03')
  await sell('bonus', 'noel', '2026-01-31', {
    ...before,
    plain: true,
    event_type: 1,
    payout_centavos: 70_00,
  })
  await sell('counted', 'maria', '2026-02-02')
  const leftOut = (firstDay: string) => findLeftOut(services, firstDay)
  expect(await leftOut('2026-02-01')).toEqual({ sales: 0, payout: 0 })
  expect(await leftOut('2026-01-31')).toEqual({ sales: 3, payout: 870 })
  expect(await leftOut('2026-01-16')).toEqual({ sales: 3, payout: 870 })
  expect(await leftOut('2026-01-15')).toEqual({ sales: 4, payout: 1_370 })
  // While pay is off, all that there is.
  await emptyTables(connection, ['pay_seals', 'pay_settings', 'pay_state'])
  services.clock.set('2026-02-04T05:00:00Z')
  expect(await leftOut('2026-02-01')).toEqual({ sales: 0, payout: 0 })
  expect(await leftOut('2026-01-31')).toEqual({ sales: 3, payout: 870 })
})

test('the settings say whether payees see what they are paid', async () => {
  await buildPayWorld(services, { avp: 'instead' })
  expect(await getPaySettings(services)).toMatchObject({ payoutsShown: false })
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  expect(await getPaySettings(services)).toMatchObject({ payoutsShown: true })
})
