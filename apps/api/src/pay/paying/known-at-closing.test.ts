import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import type { Currency } from '@tallyroom/domain/pay'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, genericLayout } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { payRoutes } from '../pay.routes.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let templateId = 0

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  // Its name is the first, and no run has had another.
  await db.deleteFrom('pay_file_templates').where('name', '=', '0 Wallets').execute()
  world = await buildPayWorld(services, { avp: 'information' })
  const channels = [
    { name: 'Banks', takes: 'bank', currency: 'PHP', over: null, upTo: null },
    { name: 'E-wallets', takes: 'wallet', currency: 'PHP', over: null, upTo: 400_00 },
  ] as const
  const body = { name: '0 Wallets', layout: { ...genericLayout, channels: [...channels] } }
  templateId = (await call(world.who, payFilesEndpoints.createPayFileTemplate, { body })).body.id
  await world.sell('a', 'maria', '2026-02-03')
  await world.sell('b', 'noel', '2026-02-03')
  services.clock.set('2026-02-16T15:00:00Z')
})

type Refusal = { name: string; cause: string; balance: number; why: string }

const toldOf = (all: readonly Refusal[]) => all.map(({ name, cause }) => [name, cause])
const checks = async () =>
  (await call(world.who, payEndpoints.payChecks, { params: { name: '2026-02-A' } })).body
const leftOut = async (currency: Currency = 'PHP'): Promise<Refusal[]> => {
  const body = { period: '2026-02-A', currency, templateId }
  return (await call(world.who, paymentRunsEndpoints.paymentRunCandidates, { body })).body.leftOut
}

test('checks say what the run after closing refuses, in its words', async () => {
  const { manila, cebu } = world.offices
  expect(toldOf((await checks()).notPaid)).toEqual([
    ['Manila', 'no confirmed account'],
    ['Cebu', 'no confirmed account'],
  ])
  await buildAccountInForce(db, manila, { channel: 'wallet', number: '09171234567' })
  await buildAccountInForce(db, cebu)
  const { notPaid } = await checks()
  expect(notPaid).toMatchObject([
    { name: 'Manila', cause: 'not in the file', balance: 500_00, currency: 'PHP' },
  ])
  expect(notPaid[0].why).toMatch('It doesn’t fit into a file of 0 Wallets: ')
  await call(world.who, balancesEndpoints.setPayHold, {
    params: { kind: 'office', id: cebu },
    body: { held: true, reason: 'A call is due', told: '' },
  })
  await call(world.who, balancesEndpoints.setPayMinimum, {
    params: { kind: 'office', id: manila },
    body: { currency: 'PHP', amount: 500_01 },
  })
  const known = (await checks()).notPaid
  expect(toldOf(known)).toEqual([
    ['Manila', 'below minimum'],
    ['Cebu', 'on hold'],
  ])
  await world.close('2026-02-A', '2026-02-16')
  expect(known).toEqual((await leftOut()).map((one) => ({ ...one, currency: 'PHP' })))
})

test('a period names who needs its exchange rate, and says of the others what a run refuses', async () => {
  const { manila, cebu } = world.offices
  await world.payIn('USD', cebu)
  expect(await checks()).toMatchObject({
    needExchangeRate: [{ kind: 'office', id: cebu, name: 'Cebu' }],
    notPaid: [{ kind: 'office', id: manila, cause: 'no confirmed account' }],
  })
})
