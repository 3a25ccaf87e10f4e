import { booksEndpoints, type JournalLine } from '@tallyroom/contract/pay/books/books'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { randomInt } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildPerson,
  genericLayout,
  seenOf,
} from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payOutside } from '../outside/outside.ts'
import { savePaySettings } from '../acts/settings.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { proposeTaxRate } from '../acts/tax-rates.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { booksRoutes } from './books.routes.ts'
import { getTaxQuarter } from './withholding.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...booksRoutes(services), ...paymentRunsRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'closed_months'])
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

const manila = () => ({ kind: 'office', id: world.offices.manila }) as const

/** The lines of a month: day, account, and the debit less the credit. */
async function booked(month: string): Promise<(string | number)[][]> {
  const { body } = await call(ann, booksEndpoints.journal, { query: { month } })
  return body.lines.map(({ day, account, debit, credit }: JournalLine) => [
    day,
    account,
    debit - credit,
  ])
}
const close = (month: string, who = ann, more: object = { evenUnclosed: true }) =>
  call(who, booksEndpoints.closeMonth, { body: { month, ...more } })

/** Manila earns ₱300.00 on a day. */
const sell = (day: string) => world.sell(`sale ${day}`, 'maria', day, { plain: true })

/** A run that bob has approved, and its only file. */
async function approvedRun(
  more: { executionDay?: string } = {},
): Promise<{ id: number; file: string }> {
  await buildAccountInForce(db, world.offices.manila)
  const layout: PayFileLayout = {
    ...genericLayout,
    columns: [...genericLayout.columns, { header: 'Date', field: 'date', dateStyle: 'MM/DD/YYYY' }],
  }
  const template = await call(ann, payFilesEndpoints.createPayFileTemplate, {
    body: { name: `Dated ${randomInt(2 ** 40)}`, layout },
  })
  const prepared = await call(ann, paymentRunsEndpoints.preparePaymentRun, {
    body: { period: null, currency: 'PHP', templateId: template.body.id, ...more },
  })
  const { id } = prepared.body
  const params = { id }
  const approved = await call(bob, paymentRunsEndpoints.approvePaymentRun, {
    params,
    body: await seenOf(db, id),
  })
  expect(approved.body).toEqual({ approved: 1, refused: [] })
  const { files } = (await call(bob, paymentRunsEndpoints.paymentRun, { params })).body
  return { id, file: files[0].name }
}
const take = (id: number, name: string, more: object = {}) =>
  call(bob, paymentRunsEndpoints.takePaymentFile, { params: { id }, body: { name, ...more } })

test('a half-month is booked in the month in which it was earned, and its tax in the quarter of the list', async () => {
  await saveTaxDetails(services, ann, manila(), {
    fromDay: '2026-02-01',
    registeredName: 'Somebody',
    country: 'other',
    taxNumber: '1',
    address: 'Somewhere',
  })
  const rate = { fromDay: '2026-02-01', rateBp: 1000, code: 'WI100', reason: 'x' }
  await proposeTaxRate(services, ann, manila(), rate)
  await approveWaiting(services)
  await sell('2026-03-20')
  await world.close('2026-02-A', '2026-04-02')
  await world.close('2026-02-B', '2026-04-02')
  await world.close('2026-03-A', '2026-04-02')
  await world.close('2026-03-B', '2026-04-02')
  expect(await booked('2026-03')).toEqual([
    ['2026-03-31', 'commissions', 300_00],
    ['2026-03-31', 'payable', -300_00],
    ['2026-03-31', 'payable', 30_00],
    ['2026-03-31', 'withheld', -30_00],
  ])
  expect(await booked('2026-04')).toEqual([])
  const { lines } = await getTaxQuarter(services, '2026-Q1')
  expect(lines.map(({ withheld }) => withheld)).toEqual([30_00])
})

test('a transfer is in transit from its approval until the day of the bank', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-16T15:00:00Z')
  const { id, file } = await approvedRun({ executionDay: '2026-02-18' })
  const before = [
    ['2026-02-15', 'commissions', 300_00],
    ['2026-02-15', 'payable', -300_00],
    ['2026-02-16', 'payable', 300_00],
    ['2026-02-16', 'transit', -300_00],
  ]
  // It has not left, so no day is the bank's.
  services.clock.set('2026-02-19T15:00:00Z')
  expect(await booked('2026-02')).toEqual(before)
  services.clock.set('2026-02-17T10:00:00Z')
  expect((await take(id, file)).status).toBe(200)
  expect(await booked('2026-02')).toEqual(before)
  services.clock.set('2026-02-18T01:00:00Z')
  expect(await booked('2026-02')).toEqual([
    ...before,
    ['2026-02-18', 'transit', 300_00],
    ['2026-02-18', 'bank', -300_00],
  ])
  const { body } = await call(ann, booksEndpoints.journal, { query: { month: '2026-02' } })
  expect(
    body.lines.slice(2).map(({ text }: JournalLine) => text.replace(/Transfer \S+/, 'It')),
  ).toEqual(['It was approved', 'It was approved', 'It is paid', 'It is paid'])
  const year = await call(ann, booksEndpoints.payeeYears, {
    query: { start: '2026-02-01', end: '2026-02-17' },
  })
  expect(year.body).toMatchObject([{ earned: 300_00, paid: 0, carried: 300_00 }])
})

test('what failed on the bank’s day never was at the bank; what failed later comes back from there', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-16T15:00:00Z')
  const first = await approvedRun({ executionDay: '2026-02-18' })
  await take(first.id, first.file)
  const fail = async (id: number) => {
    const params = { id }
    const { lines } = (await call(bob, paymentRunsEndpoints.paymentRun, { params })).body
    const body = {
      lines: [
        { reference: lines[0].reference, paid: false, reason: 'No account', bankReference: '' },
      ],
    }
    expect(
      (await call(ann, paymentResultsEndpoints.enterPaymentResults, { params, body })).status,
    ).toBe(200)
    await approveWaiting(services)
  }
  services.clock.set('2026-02-18T15:00:00Z')
  await fail(first.id)
  const second = await approvedRun({ executionDay: '2026-02-20' })
  await take(second.id, second.file)
  services.clock.set('2026-02-25T15:00:00Z')
  await fail(second.id)
  expect((await booked('2026-02')).slice(2)).toEqual([
    ['2026-02-16', 'payable', 300_00],
    ['2026-02-16', 'transit', -300_00],
    ['2026-02-18', 'transit', 300_00],
    ['2026-02-18', 'payable', -300_00],
    ['2026-02-18', 'payable', 300_00],
    ['2026-02-18', 'transit', -300_00],
    ['2026-02-20', 'transit', 300_00],
    ['2026-02-20', 'bank', -300_00],
    ['2026-02-25', 'bank', 300_00],
    ['2026-02-25', 'payable', -300_00],
  ])
})

test('another time zone of the bank moves no transfer that was sent', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-20T10:00:00Z')
  const { id, file } = await approvedRun({ executionDay: '2026-02-20' })
  services.clock.set('2026-02-20T12:00:00Z')
  expect((await take(id, file)).status).toBe(200)
  services.clock.set('2026-02-23T12:00:00Z')
  const before = await booked('2026-02')
  expect(before.slice(-2)).toEqual([
    ['2026-02-20', 'payable', 300_00],
    ['2026-02-20', 'bank', -300_00],
  ])
  // There it was 02:00 on the 21st.
  await savePaySettings(services, ann, {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
    bankTimeZone: 'Pacific/Kiritimati',
  })
  expect(await booked('2026-02')).toEqual(before)
})

test('cash of 1 January in Manila is next year’s, though New York still has December', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-12-31T17:30:00Z')
  await payOutside(services, ann, manila(), {
    currency: 'PHP',
    amount: 300_00,
    way: 'cash',
    paidOn: '2027-01-01',
    voucher: 'CV-1',
    reason: '',
  })
  await approveWaiting(services)
  services.clock.set('2027-01-02T17:30:00Z')
  expect(await booked('2027-01')).toEqual([
    ['2027-01-01', 'payable', 300_00],
    ['2027-01-01', 'outside', -300_00],
  ])
})

test('what belongs to a closed month and comes later is booked on the first open day', async () => {
  await sell('2026-02-20')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-03-02T15:00:00Z')
  expect((await close('2026-03')).body.message).toBe('2026-03 is not over.')
  const unclosed = async (month: string) =>
    (await call(ann, booksEndpoints.journal, { query: { month } })).body.unclosed
  // Those of the months before it, too; none of the one that is not over.
  expect(await unclosed('2026-01')).toEqual([])
  expect(await unclosed('2026-02')).toEqual(['2026-02-B'])
  expect(await unclosed('2026-03')).toEqual([])
  const refused = await close('2026-02', ann, {})
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Not closed yet: 2026-02-B. What is paid for them would be booked after 2026-02. Close them first, or close the month all the same.',
  ])
  expect((await close('2026-02')).status).toBe(200)
  // By somebody else, again, and one before it: they are closed already.
  expect((await close('2026-02', bob)).status).toBe(200)
  expect((await close('2026-01', bob)).status).toBe(200)
  await world.close('2026-02-B', '2026-03-03')
  expect(await booked('2026-02')).toEqual([])
  const { body } = await call(ann, booksEndpoints.journal, { query: { month: '2026-03' } })
  expect(body).toMatchObject({
    closed: { month: '2026-02', closedBy: 'ann' },
    canClose: false,
    unclosed: [],
    lines: [
      { day: '2026-03-01', belongs: '2026-02-28', account: 'commissions', debit: 300_00 },
      { day: '2026-03-01', belongs: '2026-02-28', account: 'payable', credit: 300_00 },
    ],
  })
})

test('a transfer that has not left is paid in no year, also after a month was closed', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  services.clock.set('2026-03-02T15:00:00Z')
  await close('2026-02')
  services.clock.set('2026-03-03T15:00:00Z')
  const { id, file } = await approvedRun()
  const years = async () =>
    (
      await call(ann, booksEndpoints.payeeYears, {
        query: { start: '2026-01-01', end: '2026-12-31' },
      })
    ).body
  expect(await years()).toMatchObject([{ earned: 300_00, paid: 0, carried: 300_00 }])
  services.clock.set('2026-03-03T15:30:00Z')
  await take(id, file)
  expect(await years()).toMatchObject([{ earned: 300_00, paid: 300_00, carried: 0 }])
})

test('what was booked before months could be closed stays as it was exported', async () => {
  await sell('2026-02-20')
  await world.close('2026-02-A', '2026-02-16')
  await world.close('2026-02-B', '2026-03-02')
  services.clock.set('2026-03-02T15:00:00Z')
  const { id } = await approvedRun({ executionDay: '2026-03-04' })
  await db
    .insertInto('closed_months')
    .values({
      month: '2026-02',
      closed_at: new Date('2026-03-03T05:00:00Z'),
      closed_by_name: 'the upgrade',
      as_entered: true,
    })
    .execute()
  const asEntered = [
    ['2026-03-02', 'commissions', 300_00],
    ['2026-03-02', 'payable', -300_00],
    ['2026-03-02', 'payable', 300_00],
    ['2026-03-02', 'bank', -300_00],
  ]
  services.clock.set('2026-03-20T15:00:00Z')
  expect(await booked('2026-02')).toEqual([])
  expect(await booked('2026-03')).toEqual(asEntered)
  // It left the bank's account then, so that is where it comes back.
  await call(ann, paymentRunsEndpoints.cancelPaymentRun, {
    params: { id },
    body: { reason: 'Not now' },
  })
  expect(await booked('2026-03')).toEqual([
    ...asEntered,
    ['2026-03-20', 'bank', 300_00],
    ['2026-03-20', 'payable', -300_00],
  ])
})

test('a month is over once it is over in New York and where the bank is', async () => {
  services.clock.set('2026-03-01T04:59:00Z') // 1 March in Manila
  expect((await close('2026-02')).body.message).toBe('2026-02 is not over.')
  services.clock.set('2026-03-01T05:00:00Z')
  expect((await close('2026-02')).status).toBe(200)
})
