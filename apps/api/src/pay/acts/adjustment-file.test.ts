import { balancesEndpoints, type ReadAdjustments } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...payProposalsRoutes(services)])
const { checkAdjustmentFile, enterAdjustmentFile, balance } = balancesEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await sealWorld(db)
})

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')

const check = async (text: string | Buffer): Promise<ReadAdjustments> =>
  (await call(ann, checkAdjustmentFile, { body: { file: base64(text) } })).body

const enter = (text: string, more: object = {}) =>
  call(ann, enterAdjustmentFile, { body: { file: base64(text), ...more } })

const adjustmentsOf = async (id: number) =>
  (await call(bob, balance, { params: { kind: 'office', id } })).body.adjustments.map(
    (one: { amount: number; reason: string }) => [one.amount, one.reason],
  )

const all = async () => [
  ...(await adjustmentsOf(world.offices.manila)),
  ...(await adjustmentsOf(world.offices.cebu)),
]

const linesOf = ({ lines }: ReadAdjustments) =>
  lines.map(({ line, payee, amount, reason }) => [line, payee.name, amount, reason])

test.each([
  ['with headings', 'Reason,Payee,Amount\nBonus,Manila,"1,500.00"\nFine,cebu,(20)\n', 2],
  ['without headings', 'Manila;₱1,500;Bonus\n CEBU ;-20;Fine\n', 1],
  ['pasted from a spreadsheet', 'Manila\tPHP 1,500.00\tBonus\r\nCebu\t−20.00\tFine', 1],
  [
    'in UTF-16, with separators told',
    Buffer.from('\ufeffsep=;\r\nManila;1500;Bonus\r\nCebu;20-;Fine\r\n', 'utf16le'),
    2,
  ],
])('a file %s is read', async (_, text, first) => {
  const read = await check(text)
  expect(linesOf(read)).toEqual([
    [first, 'Manila', 1_500_00, 'Bonus'],
    [first + 1, 'Cebu', -20_00, 'Fine'],
  ])
  expect([read.refused, read.problems, await all()]).toEqual([null, [], []])
})

test('every wrong line is named, and with one of them nothing is done', async () => {
  const text = [
    'Payee,Amount,Reason',
    'Manila,100.00,Bonus',
    'Manilla,100.00,Bonus',
    'Cebu,1.200,Bonus',
    'Cebu,ten,Bonus',
    'Cebu,0.00,Bonus',
    'Cebu,,Bonus',
    'Cebu,$5.00,Bonus',
    'Cebu,5.00,',
    'Cebu,5.00,Bonus, for May',
    'Cebu,5.00,Bonus,earned,more',
    `Cebu,5.00,${'x'.repeat(501)}`,
    ',5.00,Bonus',
    'Cebu,99999999999999.00,Bonus',
  ].join('\n')
  const { problems, lines } = await check(text)
  expect(problems).toEqual([
    { line: 3, problem: 'there is no office “Manilla”' },
    {
      line: 4,
      problem: '“1.200” can be read in two ways: write it without separators of thousands',
    },
    { line: 5, problem: '“ten” is not an amount in pesos' },
    { line: 6, problem: 'the amount must not be zero' },
    { line: 7, problem: 'has no amount' },
    { line: 8, problem: '“$5.00” is not an amount in pesos' },
    { line: 9, problem: 'has no reason' },
    { line: 10, problem: 'has more fields than its headings' },
    { line: 11, problem: 'has more fields than its headings' },
    { line: 12, problem: 'the reason must have at most 500 characters' },
    { line: 13, problem: 'names no office' },
    { line: 14, problem: expect.stringMatching(/not an amount|must be between/) },
  ])
  expect(lines.length).toBe(1)
  const refused = await enter(text)
  expect([refused.status, refused.body.data.file.length, refused.body.data.file[0]]).toEqual([
    422,
    12,
    'Line 3: there is no office “Manilla”',
  ])
  expect(await all()).toEqual([])
})

test('a fourth column says what a line counts as; one that says nothing is earned', async () => {
  const text = [
    'Manila,100.00,Bonus',
    'Manila,200.00,Bonus,',
    'Manila,300.00,Clawback, Earned ',
    'Manila,400.00,Computer,Not income',
    'Cebu,500.00,Bank fee,returned fee',
    'Cebu,600.00,Tip,gift',
    'Cebu,600.00,Tip,not income,more',
  ]
  const { lines, problems } = await check(text.join('\n'))
  expect(lines.map(({ amount, countsAs }) => [amount, countsAs])).toEqual([
    [100_00, 'earned'],
    [200_00, 'earned'],
    [300_00, 'earned'],
    [400_00, 'not income'],
    [500_00, 'not income'],
  ])
  expect(problems).toEqual([
    { line: 6, problem: '“gift” is neither “earned” nor “not income”' },
    { line: 7, problem: 'has more fields than payee, amount, reason and what it counts as' },
  ])
  const headed = ['Counts as,Payee,Amount,Reason', 'not income,Manila,7.00,Petty cash'].join('\n')
  expect((await enter(text.slice(0, 4).join('\n'))).status).toBe(200)
  expect((await enter(headed)).status).toBe(200)
  const params = { kind: 'office', id: world.offices.manila }
  const { adjustments } = (await call(bob, balance, { params })).body
  expect(
    adjustments.map((one: { amount: number; countsAs: string }) => [one.amount, one.countsAs]),
  ).toEqual([
    [7_00, 'not income'],
    [400_00, 'not income'],
    [300_00, 'earned'],
    [200_00, 'earned'],
    [100_00, 'earned'],
  ])
  expect((await verifyPay(db)).findings).toEqual([])
})

test('all are entered, with the limits of single ones: what is above waits for a second person', async () => {
  // The limit is ₱10,000.00 for what one person adds to one payee.
  const text = 'Manila,6000,Bonus A\nManila,5000,Bonus B\nManila,3000,Bonus C\nCebu,-12000,Fine'
  const { lines } = await check(text)
  expect(lines.map(({ waits }) => waits)).toEqual([
    null,
    'Together with ₱6,000.00 that nobody has approved, it is above the limit of ₱10,000.00.',
    null,
    'It is above the limit of ₱10,000.00.',
  ])
  expect((await enter(text)).body).toEqual({ made: 2, waiting: 2 })
  expect(await all()).toEqual([
    [3_000_00, 'Bonus C'],
    [6_000_00, 'Bonus A'],
  ])
  const waiting = (await call(bob, payProposalsEndpoints.payProposals)).body
  expect(waiting.map((one: { why: string }) => one.why)).toEqual([lines[1]?.waits, lines[3]?.waits])
  expect((await verifyPay(db)).findings).toEqual([])
})

test('lines that equal another, or an adjustment that no statement has, are warned of', async () => {
  await enter('Manila,100,Bonus May')
  const text = 'Manila,100.00,bonus  may\nCebu,50,Bonus\nCebu,50.00,Bonus\nCebu,50,Other'
  const { lines } = await check(text)
  expect(lines.map(({ equals }) => equals)).toEqual([
    'an adjustment that ann entered on 1 Feb 2026',
    null,
    'line 2',
    null,
  ])
  const unseen = await enter(text)
  expect([unseen.status, unseen.body.data]).toEqual([
    422,
    {
      equalsSeen: ['must be seen: line 1 equals an adjustment that ann entered on 1 Feb 2026'],
    },
  ])
  expect((await enter(text, { equalsSeen: true })).body).toEqual({ made: 4, waiting: 0 })
  const checks = await call(bob, payEndpoints.payChecks, { params: { name: '2026-02-A' } })
  expect(
    checks.body.equalAdjustments.map((one: Record<string, unknown>) => [
      (one['payee'] as { name: string }).name,
      one['amount'],
      one['times'],
    ]),
  ).toEqual([
    ['Cebu', 50_00, 2],
    ['Manila', 100_00, 2],
  ])
})

test.each([
  ['nothing', '', 422],
  ['a PDF', '%PDF-1.7', 'it is a PDF; ask for CSV or Excel'],
  ['a file without a column', 'Payee,Sum\nManila,5', 'there is no column “reason”'],
  ['a file of headings', 'Payee,Amount,Reason', 'there is no line below the headings'],
  ['a long file', 'Manila,1,Bonus\n'.repeat(1001), 'it has more than 1000 lines'],
])('%s is refused as a whole', async (_, text, why) => {
  const answer = await call(ann, checkAdjustmentFile, { body: { file: base64(text) } })
  expect(why === 422 ? answer.status : answer.body.refused).toBe(why)
})
