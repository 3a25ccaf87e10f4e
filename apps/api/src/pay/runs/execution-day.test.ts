import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { createHash, randomInt } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildOwed,
  buildPay,
  genericLayout,
  seenOf,
  buildPerson,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { openDatabase } from '../../db/database.ts'
import { payRoutes } from '../pay.routes.ts'
import { findFileDifferences } from '../evidence/verify-decisions.queries.ts'
import { resealPaymentFiles } from './approved-files.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())
const runs = paymentRunsEndpoints

let [ann, bob] = [viewer(), viewer()]

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  await buildPay(db)
  services.clock.set('2026-03-01T15:00:00Z')
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
})

const settings = {
  payees: 'offices',
  periodLength: 'beWeek',
  avp: 'instead',
  minimumCentavos: 0,
  minimumCents: 0,
}
const save = (more: object) =>
  call(ann, paySettingsEndpoints.savePaySettings, { body: { ...settings, ...more } })
const inManila = () => save({ bankTimeZone: 'Asia/Manila' })

const datedColumns: PayFileLayout['columns'] = [
  ...genericLayout.columns,
  { header: 'Date', field: 'date', dateStyle: 'MM/DD/YYYY' },
]
const template = async (layout: Partial<PayFileLayout>): Promise<number> =>
  (
    await call(ann, payFilesEndpoints.createPayFileTemplate, {
      body: { name: `With dates ${randomInt(2 ** 40)}`, layout: { ...genericLayout, ...layout } },
    })
  ).body.id
const prepare = (templateId: number, more: object = {}) =>
  call(ann, runs.preparePaymentRun, {
    body: { period: null, currency: 'PHP', templateId, ...more },
  })
const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body
const take = (id: number, name: string, more: object = {}) =>
  call(bob, runs.takePaymentFile, { params: { id }, body: { name, ...more } })
const owe = async (...names: string[]) => {
  for (const name of names) await buildOwed(db, await buildOffice(db, { name }))
}
/** An approved run over two offices, in a file for each. The clock stands on Wednesday, 25 November, in Manila. */
async function approved(columns = datedColumns) {
  services.clock.set('2026-11-25T01:30:00Z')
  await inManila()
  await owe('Manila', 'Cebu')
  const { id } = (await prepare(await template({ columns, mostLines: 1 }))).body
  await call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
  const { files } = await get(id)
  return { id, files, first: files[0], second: files[1] }
}
/** When the payee of the first line reads that money comes. */
const dayRead = async (id: number) => {
  const [{ payee }] = (await get(id)).lines
  const { body } = await call(bob, balancesEndpoints.balance, {
    params: { kind: payee.kind, id: payee.id },
  })
  return body.entries[0].payment
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const differences = () => findFileDifferences(db, { after: 0, limit: 10 })

test.each([
  ['2026-01-15T15:59:59Z', '2026-01-15'],
  ['2026-01-15T16:00:00Z', '2026-01-16'],
  ['2026-01-16T04:59:59Z', '2026-01-16'],
  ['2026-01-16T05:00:00Z', '2026-01-16'],
  ['2026-07-15T15:59:59Z', '2026-07-15'],
  ['2026-07-16T03:59:59Z', '2026-07-16'],
  ['2026-07-16T04:00:00Z', '2026-07-16'],
])(
  'a run that is prepared at %s is carried out on %s, the day where the bank is',
  async (at, day) => {
    services.clock.set(at)
    await inManila()
    await owe('Manila')
    const { id } = (await prepare(await template({ columns: datedColumns }))).body
    expect(await get(id)).toMatchObject({
      executionDay: day,
      bank: { timeZone: 'Asia/Manila', today: day },
      files: [{ executionDay: day, needsDay: false, redated: null }],
    })
  },
)

test('without a setting, the bank is in New York, and a run from before has the day of its preparation', async () => {
  services.clock.set('2026-03-02T04:30:00Z')
  await owe('Manila')
  const { id } = (await prepare(1)).body
  const inNewYork = { executionDay: '2026-03-01', bank: { timeZone: 'America/New_York' } }
  expect(await get(id)).toMatchObject(inNewYork)
  await owner.pool.query('update payment_runs set execution_day = null')
  expect(await get(id)).toMatchObject(inNewYork)
})

test('an execution date is today where the bank is, or one of the next 60 days', async () => {
  services.clock.set('2026-11-25T17:00:00Z')
  await inManila()
  await owe('Manila')
  const refusal = async (executionDay: string) =>
    (await prepare(1, { executionDay })).body.data?.executionDay
  expect(await refusal('2026-11-25')).toEqual([
    'must not be before 2026-11-26, today where the bank is',
  ])
  expect(await refusal('2027-01-26')).toEqual(['must not be after 2027-01-25, 60 days from now'])
  expect(await refusal('2026-11-31')).toEqual(['must be a day, YYYY-MM-DD'])
  const { id } = (await prepare(1, { executionDay: '2027-01-25' })).body
  expect(await get(id)).toMatchObject({ executionDay: '2027-01-25' })
})

test('a file whose date has passed leaves with a new one, and nothing else in it changes', async () => {
  const { id, first, second } = await approved()
  // Monday morning in Manila, Sunday evening in New York.
  services.clock.set('2026-11-30T02:00:00Z')
  expect(await get(id)).toMatchObject({
    files: [{ needsDay: true, executionDay: '2026-11-25' }, { needsDay: true }],
  })
  const refusal = async (more: object) =>
    (await take(id, first.name, more)).body.data?.executionDay?.[0]
  expect(await refusal({})).toBe(
    'is needed: 2026-11-25, which was approved, has passed where the bank is. Choose a day from 2026-11-30 on',
  )
  expect(await refusal({ executionDay: '2026-11-29' })).toMatch('must not be before 2026-11-30')
  expect(await refusal({ executionDay: '2027-02-01' })).toMatch('must not be after 2027-01-29')
  expect(await get(id)).toMatchObject({ state: 'approved', files: [{ downloads: [] }, {}] })
  expect(await dayRead(id)).toMatchObject({ state: 'approved', executionDay: '2026-11-25' })

  const bytes = (await take(id, first.name, { executionDay: '2026-12-01' })).body
  expect(String(bytes)).toBe(
    'Reference,Amount,Account number,Account name,Date\r\n' +
      `P1R${id}N1,2000.00,1234567890,Maria Santos,12/01/2026\r\n`,
  )
  expect(await dayRead(id)).toMatchObject({ state: 'sent', executionDay: '2026-12-01' })
  const { files } = await get(id)
  expect(files).toMatchObject([
    {
      sha256: first.sha256,
      executionDay: '2026-12-01',
      needsDay: false,
      redated: { by: 'bob', at: about('2026-11-30T02:00:00Z'), sha256: sha256(bytes) },
    },
    { needsDay: true, redated: null },
  ])
  // It has a date now: the bank may have it.
  services.clock.set('2026-12-09T02:00:00Z')
  expect(await refusal({ again: true, executionDay: '2026-12-10' })).toBe(
    'can’t change: the date in this file has not passed, or the file was downloaded before',
  )
  expect((await take(id, first.name, { again: true })).body).toEqual(bytes)
  const other = (await take(id, second.name, { executionDay: '2026-12-09' })).body
  expect(String(other)).toContain(`N2,2000.00,1234567890,Maria Santos,12/09/2026\r\n`)
  expect(await differences()).toEqual([])
})

test('a file whose date has not passed leaves as it was approved, and so does one without a date', async () => {
  const { id, first } = await approved()
  // The last minute of the day in Manila, when it is still morning in New York.
  services.clock.set('2026-11-25T15:59:00Z')
  expect((await take(id, first.name, { executionDay: '2026-11-26' })).status).toBe(422)
  expect(sha256((await take(id, first.name)).body)).toBe(first.sha256)
  // What was downloaded keeps its date.
  services.clock.set('2026-11-28T02:00:00Z')
  expect(sha256((await take(id, first.name, { again: true })).body)).toBe(first.sha256)
  expect(await differences()).toEqual([])
})

test('a file without a date asks for none', async () => {
  const { id, first } = await approved(genericLayout.columns)
  services.clock.set('2026-11-30T02:00:00Z')
  expect(first).toMatchObject({ executionDay: null, needsDay: false })
  expect((await get(id)).files[0]).toMatchObject({ needsDay: false })
  expect(sha256((await take(id, first.name)).body)).toBe(first.sha256)
})

test('what leaves with a new date outlives a rotation of the key', async () => {
  const { id, first } = await approved()
  services.clock.set('2026-11-30T02:00:00Z')
  const bytes = (await take(id, first.name, { executionDay: '2026-11-30' })).body
  const former = services.secret
  services.secret = Buffer.alloc(32, 'rotated')
  services.formerSecrets = [former]
  try {
    await resealPaymentFiles(services)
    services.formerSecrets = []
    expect((await take(id, first.name, { again: true })).body).toEqual(bytes)
  } finally {
    services.secret = former
    services.formerSecrets = []
  }
})

test.each([
  ['undated_sha256 = sha256', true],
  ['amount = amount + 1', true],
  ["execution_day = '2026-11-25'", true],
  ["redates = 2, name = 'x'", true],
  ['sealed = sealed', false],
])('pay verify names a file with a new date that differs in more: %s', async (change, isNamed) => {
  const { id, first } = await approved()
  services.clock.set('2026-11-30T02:00:00Z')
  await take(id, first.name, { executionDay: '2026-11-30' })
  await owner.pool.query(`update payment_run_files set ${change} where redates is not null`)
  const found = (await differences()).filter((one) => one.includes('with another date'))
  expect(found).toHaveLength(isNamed ? 1 : 0)
})

test('a bank’s time zone is of the IANA database, and stays if it is omitted', async () => {
  const zone = async () => (await call(ann, paySettingsEndpoints.paySettings)).body.bankTimeZone
  expect(await zone()).toBe('America/New_York')
  for (const bankTimeZone of ['Manila', 'asia/manila', '+08:00', 'EST', 'Asia/Nowhere', '']) {
    const refused = await save({ bankTimeZone })
    expect([bankTimeZone, refused.status]).toEqual([bankTimeZone, 422])
  }
  expect((await inManila()).status).toBe(200)
  expect((await save({})).status).toBe(200)
  expect(await zone()).toBe('Asia/Manila')
})
