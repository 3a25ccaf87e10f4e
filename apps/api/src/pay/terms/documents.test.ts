import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { statementFilesEndpoints } from '@tallyroom/contract/pay/statement-files/statement-files'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
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
import { statementFilesRoutes } from '../statement-files/statement-files.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...statementFilesRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ann = await buildPerson(db, 'ann')
  await sealWorld(db)
})

const network = {
  registeredName: 'Harborline Marketing Inc.',
  country: 'PH' as const,
  taxNumber: '900-800-700-00000',
  address: '1 Rizal Avenue, Manila',
}
const cebu = {
  registeredName: 'Cebu Leads Inc.',
  country: 'PH' as const,
  taxNumber: '123-456-789-000',
  address: '8 Colon Street, Cebu City',
}
const enterPayer = (fromDay: string, more: object = {}) =>
  call(ann, taxDetailsEndpoints.savePayerDetails, { body: { ...network, ...more, fromDay } })
const enterPayee = (fromDay: string, more: object = {}, id = world.offices.cebu) =>
  call(ann, taxDetailsEndpoints.saveTaxDetails, {
    body: { kind: 'office', id, ...cebu, ...more, fromDay },
  })

let sales = 0
/** ₱300.00 for each office, and closes the period. */
async function closeWithSales(name: string, day: string, on: string) {
  await world.sell(`c${++sales}`, 'noel', day, { plain: true })
  await world.sell(`m${sales}`, 'maria', day, { plain: true })
  await world.close(name, on)
}

async function documentsOf(who: Viewer, officeId: number) {
  const query = { kind: 'office', id: String(officeId) }
  const { items } = (await call(who, statementsEndpoints.statements, { query })).body
  const documents: Record<string, StatementContent['document']> = {}
  for (const { id, period } of items) {
    const { body } = await call(who, statementsEndpoints.statement, { params: { id } })
    documents[period.name] = body.content.document
  }
  return documents
}

test('a statement is a self-billed document from the period on whose last day both sides have tax details, numbered without gaps', async () => {
  await closeWithSales('2026-02-A', '2026-02-03', '2026-02-16')
  expect((await enterPayee('2026-02-16')).status).toBe(200)
  // In the middle of the period: its last day counts.
  expect((await enterPayer('2026-02-20')).status).toBe(200)
  await closeWithSales('2026-02-B', '2026-02-17', '2026-03-01')
  expect((await enterPayee('2026-03-01', { address: '9 Colon Street' })).status).toBe(200)
  expect((await enterPayer('2026-03-16', { registeredName: 'Later Inc.' })).status).toBe(200)
  await closeWithSales('2026-03-A', '2026-03-03', '2026-03-16')
  // The other office's begin with 1, too.
  expect(
    (await enterPayee('2026-03-16', { taxNumber: '222-222-222-000' }, world.offices.manila)).status,
  ).toBe(200)
  await closeWithSales('2026-03-B', '2026-03-18', '2026-04-01')

  expect(await documentsOf(ann, world.offices.cebu)).toEqual({
    '2026-02-A': undefined,
    '2026-02-B': { serial: 1, payer: network, payee: cebu },
    '2026-03-A': { serial: 2, payer: network, payee: { ...cebu, address: '9 Colon Street' } },
    '2026-03-B': {
      serial: 3,
      payer: { ...network, registeredName: 'Later Inc.' },
      payee: { ...cebu, address: '9 Colon Street' },
    },
  })
  const ofManila = await documentsOf(ann, world.offices.manila)
  expect([ofManila['2026-03-A'], ofManila['2026-03-B']?.serial]).toEqual([undefined, 1])
  expect((await verifyPay(db)).findings).toEqual([])
})

test('a serial, and the details that a document has, are named by pay verify once they are changed', async () => {
  await enterPayee('2026-02-01')
  await enterPayer('2026-02-01')
  await closeWithSales('2026-02-A', '2026-02-03', '2026-02-16')
  await closeWithSales('2026-02-B', '2026-02-17', '2026-03-01')
  const findingsAfter = async (change: string, undo: string) => {
    await execute(connection, change)
    const { findings } = await verifyPay(db)
    await execute(connection, undo)
    return findings.join('\n')
  }
  expect((await verifyPay(db)).findings).toEqual([])
  expect(
    await findingsAfter(
      'update statements set document_serial = 9 where document_serial = 2',
      'update statements set document_serial = 2 where document_serial = 9',
    ),
  ).toContain('another document number')
  expect(
    await findingsAfter(
      `update payee_tax_details set address = 'x' where payee_kind = 'network'`,
      `update payee_tax_details set address = '1 Rizal Avenue, Manila' where payee_kind = 'network'`,
    ),
  ).toContain('differs from what was booked')
})

test('agents of an office that is paid do not read its document, and its files have both sides', async () => {
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await enterPayee('2026-02-01')
  await enterPayer('2026-02-01')
  await closeWithSales('2026-02-A', '2026-02-03', '2026-02-16')
  const { offices, agents } = world
  const office = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  expect((await documentsOf(office, offices.cebu))['2026-02-A']).toMatchObject({ serial: 1 })
  const agent = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })
  const { items } = (await call(agent, statementsEndpoints.statements)).body
  const own = await call(agent, statementsEndpoints.statement, { params: { id: items[0].id } })
  expect(own.body).toMatchObject({ isPart: true })
  expect(JSON.stringify(own.body)).not.toContain('123-456-789')

  const csv = await call(office, statementFilesEndpoints.exportStatement, {
    params: { id: items[0].id },
    body: { format: 'csv' },
  })
  expect(csv.status).toBe(200)
})

test('only who may pay enters the network’s tax details, for days that are open', async () => {
  await closeWithSales('2026-02-A', '2026-02-03', '2026-02-16')
  expect(await enterPayer('2026-02-15')).toMatchObject({
    status: 422,
    body: { data: { fromDay: ['must be 2026-02-16 or later: the days before are closed'] } },
  })
  expect(await enterPayer('2026-02-16', { taxNumber: '12345678901' })).toMatchObject({
    status: 422,
  })
  expect(await enterPayer('2026-02-16')).toMatchObject({ status: 200 })
  expect((await call(ann, taxDetailsEndpoints.payerDetails)).body).toMatchObject({
    changesFrom: '2026-02-16',
    details: [{ fromDay: '2026-02-16', taxNumber: '900-800-700-00000', setBy: 'ann' }],
  })
  for (const who of [
    viewer({ role: 'company', officeId: world.offices.cebu, agentId: undefined }),
    viewer({ role: 'admin', officeId: undefined, agentId: undefined }),
  ]) {
    expect((await call(who, taxDetailsEndpoints.payerDetails)).status).toBe(403)
    const body = { ...network, fromDay: '2026-02-16' }
    expect((await call(who, taxDetailsEndpoints.savePayerDetails, { body })).status).toBe(403)
  }
  expect((await verifyPay(db)).findings).toEqual([])
  await execute(
    connection,
    `update payee_tax_details set tax_number = '1' where payee_kind = 'network'`,
  )
  expect((await verifyPay(db)).findings.join('\n')).toContain('Tax details')
})
