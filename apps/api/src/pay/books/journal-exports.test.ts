import {
  booksEndpoints,
  USUAL_ACCOUNTS,
  type JournalExport,
  type JournalFormat,
} from '@tallyroom/contract/pay/books/books'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { parse } from 'csv-parse/sync'
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildPayment,
  buildPerson,
  genericLayout,
  seenOf,
} from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { savePaySettings } from '../acts/settings.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { proposeTaxRate } from '../acts/tax-rates.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { booksRoutes } from './books.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...booksRoutes(services), ...paymentRunsRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

beforeEach(async () => {
  await emptyTables(connection, [
    ...PAY_TABLES,
    'closed_months',
    'journal_accounts',
    'journal_exports',
  ])
  world = await buildPayWorld(services, { avp: 'information' })
  ann = await buildPerson(db, 'ann')
  bob = await buildPerson(db, 'bob')
  await sealWorld(db)
  await savePaySettings(services, ann, {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
    bankTimeZone: 'Asia/Manila',
  })
})

/** Manila has a statement of ₱300.00 for the first half of February. */
async function closeFebruary() {
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-16T15:00:00Z')
}

const journal = async () =>
  (await call(ann, booksEndpoints.journal, { query: { month: '2026-02' } })).body

const exportsOf = async (): Promise<JournalExport[]> => (await journal()).exports

const lastOf = async (format: JournalFormat): Promise<number | null> =>
  (await exportsOf()).find((one) => one.format === format)?.id ?? null

/** Exports February, and returns the answer. */
const send = async (
  what: 'all' | 'new',
  {
    format = 'plain',
    since,
    who = ann,
  }: { format?: JournalFormat; since?: number | null; who?: Viewer } = {},
) =>
  call(who, booksEndpoints.exportJournal, {
    body: {
      month: '2026-02',
      format,
      what,
      since: since === undefined ? await lastOf(format) : since,
    },
  })

const filesOf = async (id: number): Promise<{ name: string; text: string }[]> =>
  (await call(ann, booksEndpoints.journalExport, { params: { id } })).body.files

/** What an export has: entry, account, and the debit less the credit. */
async function had(answer: { body: { id: number } }): Promise<[string, string, number][]> {
  const files = await filesOf(answer.body.id)
  const rows = files.flatMap(({ text }) => parse(text, { columns: true })) as Record<
    string,
    string
  >[]
  return rows.map((row) => [
    row['Entry'] ?? '',
    row['Account'] ?? '',
    Number(row['Debit']) - Number(row['Credit']),
  ])
}

test('what is new since an export is what came after it, in its format, until all is exported again', async () => {
  await closeFebruary()
  const first = await send('all')
  expect(await had(first)).toMatchObject([
    [expect.any(String), 'Commissions', 300],
    [expect.any(String), 'Commissions payable', -300],
  ])
  expect(await exportsOf()).toMatchObject([
    { what: 'all', format: 'plain', entries: 1, by: 'ann', since: 0 },
  ])
  expect((await send('new')).body).toMatchObject({ message: 'Nothing is new.' })
  await buildPayment(db, world.offices.manila, {
    currency: 'PHP',
    amount: 100_00,
    at: services.clock.now(),
    paid: true,
  })
  expect(await exportsOf()).toMatchObject([{ since: 1 }])
  // Xero has got nothing yet.
  expect(await had(await send('new', { who: bob }))).toMatchObject([
    [expect.any(String), 'Commissions payable', 100],
    [expect.any(String), 'Bank', -100],
  ])
  const files = await filesOf((await send('new', { format: 'xero' })).body.id)
  expect(files.map(({ name, text }) => [name, parse(text).length])).toEqual([
    ['journal-2026-02-xero-PHP-new.csv', 5],
  ])
  expect(await exportsOf()).toMatchObject([
    { what: 'new', format: 'xero', entries: 2, by: 'ann', since: 0 },
    { what: 'new', format: 'plain', entries: 1, by: 'bob', since: 0 },
    { what: 'all', format: 'plain', entries: 1, by: 'ann', since: null },
  ])
  expect(await had(await send('all'))).toHaveLength(4)
})

test('a transfer whose day became known after it was exported is taken back from transit, under numbers of its own', async () => {
  await closeFebruary()
  await buildAccountInForce(db, world.offices.manila)
  const template = await call(ann, payFilesEndpoints.createPayFileTemplate, {
    body: { name: `Plain ${randomInt(2 ** 40)}`, layout: genericLayout },
  })
  const { id } = (
    await call(ann, paymentRunsEndpoints.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: template.body.id },
    })
  ).body
  const params = { id }
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  const first = await had(await send('all'))
  const [number = ''] = first.at(-1) ?? []
  expect(first.slice(2)).toEqual([
    [number, 'Commissions payable', 300],
    [number, 'Payments in transit', -300],
  ])
  const { files } = (await call(bob, paymentRunsEndpoints.paymentRun, { params })).body
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  expect(await exportsOf()).toMatchObject([{ since: 1 }])
  expect(await had(await send('new'))).toEqual([
    [`${number}-2`, 'Payments in transit', 300],
    [`${number}-2`, 'Commissions payable', -300],
    [`${number}-3`, 'Commissions payable', 300],
    [`${number}-3`, 'Bank', -300],
  ])
  expect((await had(await send('all'))).slice(2)).toEqual([
    [number, 'Commissions payable', 300],
    [number, 'Bank', -300],
  ])
})

test('of two exports at once one is refused, and what is entered meanwhile is in one of both', async () => {
  await closeFebruary()
  const since = (await send('all')).body.id
  const entered = Promise.withResolvers<void>()
  const entering = inTransaction(db, async (tx) => {
    await lockBalances(tx)
    await buildPayment(tx, world.offices.manila, {
      currency: 'PHP',
      amount: 100_00,
      at: tx.now,
      paid: true,
    })
    entered.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
  })
  await entered.promise
  const answers = await Promise.all([send('new', { since }), send('new', { since, who: bob })])
  await entering
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const done = answers.find(({ status }) => status === 200)
  expect(done && (await had(done))).toHaveLength(2)
  expect(await exportsOf()).toMatchObject([{ entries: 1, since: 0 }, { what: 'all' }])
})

test('an export is downloaded again as it was, with the SHA-256 of each file, whatever is renamed', async () => {
  await closeFebruary()
  const { body } = await send('all', { format: 'quickbooks' })
  const files = await filesOf(body.id)
  const [one] = files
  const hash = createHash('sha256').update(`\u{feff}${one?.text}`).digest('hex')
  expect(await exportsOf()).toMatchObject([{ id: body.id, sha256: [hash] }])
  await db
    .updateTable('offices')
    .set({ name: sql`name || ', renamed'` })
    .execute()
  expect(await filesOf(body.id)).toEqual(files)
})

test('of a month in which nothing was booked there is no export, nor of one that never was', async () => {
  expect(await send('all')).toMatchObject({
    status: 409,
    body: { message: 'There is nothing to export.' },
  })
  expect((await call(ann, booksEndpoints.journalExport, { params: { id: 999 } })).status).toBe(404)
})

/** The rows of the only file of an export, by heading. */
async function rowsOf(answer: { body: { id: number } }): Promise<Record<string, string>[]> {
  const [file] = await filesOf(answer.body.id)
  return parse(file?.text ?? '', { columns: true })
}

test('a file of bills has each statement once, with its tax, and nothing else', async () => {
  const manila = { kind: 'office', id: world.offices.manila } as const
  await saveTaxDetails(services, ann, manila, {
    fromDay: '2026-02-01',
    registeredName: 'Somebody',
    country: 'other',
    taxNumber: '1',
    address: 'Somewhere',
  })
  const rate = { fromDay: '2026-02-01', rateBp: 1000, code: 'WI100', reason: 'x' }
  await proposeTaxRate(services, ann, manila, rate)
  await approveWaiting(services)
  await createAdjustment(services, ann, manila, {
    currency: 'PHP',
    amount: 50_00,
    countsAs: 'not income',
    reason: 'Taxi',
  })
  await closeFebruary()
  await buildPayment(db, manila.id, {
    currency: 'PHP',
    amount: 100_00,
    at: services.clock.now(),
    paid: true,
  })
  const vendors = [{ ...manila, name: '=Manila Inc.' }]
  await call(ann, booksEndpoints.saveJournalAccounts, { body: { ...USUAL_ACCOUNTS, vendors } })
  expect(await rowsOf(await send('all', { format: 'bills' }))).toEqual([
    {
      Bill: '2026-02-A-0001',
      Vendor: "'=Manila Inc.",
      Date: '2026-02-15',
      'Due date': '2026-02-15',
      Currency: 'PHP',
      Commissions: '300.00',
      'Not income': '50.00',
      'Tax withheld': '30.00',
      Payable: '320.00',
    },
  ])
  expect((await send('new', { format: 'bills' })).status).toBe(409)
  const lines = [
    ['Commissions', '300.00'],
    ['Reimbursements', '50.00'],
    ['Withholding tax payable', '-30.00'],
  ]
  expect(await rowsOf(await send('all', { format: 'quickbooksBills' }))).toMatchObject(
    lines.map(([Account, LineAmount]) => ({
      BillNo: '2026-02-A-0001',
      Supplier: "'=Manila Inc.",
      BillDate: '02/15/2026',
      DueDate: '02/15/2026',
      Account,
      LineAmount,
      Currency: 'PHP',
    })),
  )
  expect(await rowsOf(await send('all', { format: 'xeroBills' }))).toMatchObject(
    lines.map(([account, amount]) => ({
      '*ContactName': "'=Manila Inc.",
      '*InvoiceNumber': '2026-02-A-0001',
      '*InvoiceDate': '15/02/2026',
      '*DueDate': '15/02/2026',
      '*Quantity': '1',
      '*UnitAmount': amount,
      '*AccountCode': account,
      '*TaxType': 'Tax Exempt',
      Currency: 'PHP',
    })),
  )
})

test('a statement below zero is a bill in the CSV alone', async () => {
  await world.sell('a', 'maria', '2026-01-20', { plain: true })
  await world.reverse('a', '2026-02-05')
  await world.sell('b', 'noel', '2026-02-05', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-16T15:00:00Z')
  const payables = await rowsOf(await send('all', { format: 'bills' }))
  expect(new Map(payables.map(({ Vendor, Payable }) => [Vendor, Payable]))).toEqual(
    new Map([
      ['Cebu', '300.00'],
      ['Manila', '-300.00'],
    ]),
  )
  const left = await rowsOf(await send('all', { format: 'xeroBills' }))
  expect(left.map((row) => row['*ContactName'])).toEqual(['Cebu'])
  // So the journal beside that file has it.
  const beside = await rowsOf(await send('all', { format: 'xeroBeside' }))
  expect(beside.map((row) => row['Description'])).toEqual(['Manila', 'Manila'])
  expect((await send('all', { format: 'plainBeside' })).status).toBe(409)
})

test('a journal beside bills has all but them, and its own account of what is new', async () => {
  const manila = { kind: 'office', id: world.offices.manila } as const
  await closeFebruary()
  await buildPayment(db, manila.id, {
    currency: 'PHP',
    amount: 100_00,
    at: services.clock.now(),
    paid: true,
  })
  const whole = await had(await send('all'))
  const first = await send('all', { format: 'plainBeside' })
  const beside = await had(first)
  expect(beside).toEqual(whole.slice(2))
  expect(beside).not.toEqual([])
  expect((await filesOf(first.body.id)).map(({ name }) => name)).toEqual([
    'journal-2026-02-without-bills.csv',
  ])
  // An export of all took nothing out of this one, nor the other way round.
  await buildPayment(db, manila.id, {
    currency: 'PHP',
    amount: 50_00,
    at: services.clock.now(),
    paid: true,
  })
  const news = await had(await send('new', { format: 'plainBeside' }))
  expect(news.map(([, account, sum]) => [account, sum])).toEqual([
    ['Commissions payable', 50],
    ['Bank', -50],
  ])
  expect((await exportsOf()).map(({ format, since }) => [format, since])).toEqual([
    ['plainBeside', 0],
    ['plainBeside', null],
    ['plain', 1],
  ])
})
