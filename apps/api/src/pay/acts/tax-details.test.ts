import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(payRoutes(services))
const { taxDetails, saveTaxDetails } = taxDetailsEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let cebu = 0

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  cebu = world.offices.cebu
  ann = await buildPerson(db, 'ann')
  await sealWorld(db)
})

const details = (
  values: { fromDay?: string; country?: 'PH' | 'other'; taxNumber?: string } = {},
) => ({
  kind: 'office' as const,
  id: cebu,
  fromDay: '2026-02-01',
  registeredName: 'Cebu Leads Inc.',
  country: 'PH' as const,
  taxNumber: '123456789000',
  address: '8 Colon Street, Cebu City',
  ...values,
})
const save = (values: Parameters<typeof details>[0]) =>
  call(ann, saveTaxDetails, { body: details(values) })
const list = (who: Viewer, id = cebu) =>
  call(who, taxDetails, { params: { kind: 'office', id: String(id) } })

test('tax details are kept from a day on, and a correction of a day replaces nothing', async () => {
  for (const [fromDay, taxNumber] of [
    ['2026-03-01', '111-111-111'],
    ['2026-02-01', '123456789'],
    ['2026-02-01', '222222222'],
  ] as const) {
    expect(await save({ fromDay, taxNumber })).toMatchObject({ status: 200 })
  }
  expect(await list(ann)).toMatchObject({
    status: 200,
    body: {
      changesFrom: '2026-02-01',
      details: [
        { fromDay: '2026-03-01', taxNumber: '111-111-111', setBy: 'ann' },
        { fromDay: '2026-02-01', taxNumber: '222-222-222' },
        { fromDay: '2026-02-01', taxNumber: '123-456-789' },
      ],
    },
  })
})

test('no tax details can be entered for a day that is closed, nor beyond a year', async () => {
  await world.sell('a', 'noel', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  expect(await save({ fromDay: '2026-02-15' })).toMatchObject({
    status: 422,
    body: { data: { fromDay: ['must be 2026-02-16 or later: the days before are closed'] } },
  })
  expect(await save({ fromDay: '2027-02-18' })).toMatchObject({ status: 422 })
  expect(await save({ fromDay: '2026-02-16' })).toMatchObject({ status: 200 })
})

test('a Philippine tax number with a wrong number of digits is refused with their number', async () => {
  expect(await save({ taxNumber: '12345678901' })).toMatchObject({
    status: 422,
    body: { data: { taxNumber: [expect.stringContaining('not 11')] } },
  })
  expect(await save({ country: 'other', taxNumber: 'SG-12345678901' })).toMatchObject({
    status: 200,
  })
})

test('a payee sees its own tax details, without who entered them, and nobody else’s', async () => {
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await save({})
  const office = viewer({ role: 'company', officeId: cebu, agentId: undefined })
  const own = await list(office)
  expect(own).toMatchObject({ status: 200, body: { details: [{ taxNumber: '123-456-789-000' }] } })
  expect(JSON.stringify(own.body)).not.toContain('setBy')
  expect(await list(office, world.offices.manila)).toMatchObject({ status: 404 })
})

test('a tax number that was changed by SQL is named by pay verify', async () => {
  await save({})
  await execute(connection, `update payee_tax_details set tax_number = '999-999-999'`)
  const { findings } = await verifyPay(db)
  expect(findings.join('\n')).toContain('Tax details')
})
