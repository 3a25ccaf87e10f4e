import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { type TaxLine, withholdingEndpoints } from '@tallyroom/contract/pay/books/withholding'
import { parse } from 'csv-parse/sync'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { readPdf } from '../../../test/read-pdf.ts'
import { readSheet, readZip } from '../../../test/read-xlsx.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { deleteAgent } from '../../desk/erase/delete-agent.ts'
import { payRoutes } from '../pay.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { statementFilesRoutes } from '../statement-files/statement-files.routes.ts'
import { alphalistFile } from './alphalist.ts'
import { booksRoutes } from './books.routes.ts'
import { getTaxCertificate, listTaxCertificates, taxQuarterSheet } from './withholding.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...payProposalsRoutes(services),
  ...booksRoutes(services),
  ...statementFilesRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

async function build(settings: Partial<Parameters<typeof buildPayWorld>[1]> = {}) {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead', ...settings })
  ann = await buildPerson(db, 'ann')
  bob = await buildPerson(db, 'bob')
  await sealWorld(db)
}

beforeEach(() => build())

type Party = { kind: 'office' | 'agent'; id: number }
const cebu = (): Party => ({ kind: 'office', id: world.offices.cebu })

const parties = {
  registeredName: 'Cebu Leads Inc.',
  country: 'PH' as const,
  taxNumber: '123-456-789-000',
  address: '8 Colon Street, Cebu City',
}
const { country: _country, ...named } = parties
async function enterDetails(fromDay: string, payee = cebu(), more: object = {}) {
  const body = { ...payee, ...parties, ...more, fromDay }
  expect((await call(ann, taxDetailsEndpoints.saveTaxDetails, { body })).status).toBe(200)
}
async function enterPayer(fromDay: string) {
  const body = { ...parties, registeredName: 'Harborline Inc.', taxNumber: '900800700', fromDay }
  expect((await call(ann, taxDetailsEndpoints.savePayerDetails, { body })).status).toBe(200)
}
async function setRate(fromDay: string, rateBp: number, code = 'WI515', payee = cebu()) {
  const body = { ...payee, fromDay, rateBp, code, reason: 'As agreed' }
  const proposed = await call(ann, taxDetailsEndpoints.proposeTaxRate, { body })
  expect(proposed.status).toBe(200)
  const params = { id: proposed.body.proposalId }
  const approved = await call(bob, payProposalsEndpoints.approvePayProposal, { params })
  expect(approved.status).toBe(200)
}

let sales = 0
/** Sales of Cebu’s agent at ₱300.00 each. Returns their names. */
async function sell(day: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `s${++sales}`)
  for (const name of names) await world.sell(name, 'noel', day, { plain: true })
  return names
}

const list = async (quarter: string) =>
  (await call(ann, withholdingEndpoints.taxQuarter, { query: { quarter } })).body
const figures = ({ base, withheld, months }: TaxLine) => ({
  base,
  withheld,
  months: months.map((one) => [one.base, one.withheld]),
})
const certificate = (who: Viewer, quarter: string, payee = cebu()) =>
  call(who, withholdingEndpoints.taxCertificate, { params: { ...payee, quarter } })

/**
 * 5 % from mid-February, 10 % from March: 3 sales are ₱900.00 and ₱45.00, 2 are ₱600.00 and ₱60.00, and 3 chargebacks give
 * ₱90.00 back. The next quarter has nothing to give back.
 */
async function buildQuarter() {
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  await enterDetails('2026-02-16')
  await enterPayer('2026-02-16')
  await setRate('2026-02-16', 500)
  const first = await sell('2026-02-17', 3)
  await world.close('2026-02-B', '2026-03-01')
  await setRate('2026-03-01', 1000)
  const second = await sell('2026-03-02', 2)
  await world.close('2026-03-A', '2026-03-16')
  for (const name of first) await world.reverse(name, '2026-03-18')
  await world.close('2026-03-B', '2026-04-01')
  for (const name of second) await world.reverse(name, '2026-04-03')
  await world.close('2026-04-A', '2026-04-16')
}

test('a quarter adds up by month what its statements withheld at each rate, less what negative ones gave back', async () => {
  await buildQuarter()
  const first = await list('2026-Q1')
  expect(first).toMatchObject({
    quarter: '2026-Q1',
    quarters: ['2026-Q2', '2026-Q1'],
    isComplete: true,
    lines: [
      {
        payees: [{ ...cebu(), name: 'Cebu' }],
        ...named,
        code: 'WI515',
        ratesBp: [500, 1000],
        currency: 'PHP',
      },
    ],
  })
  expect(first.lines.map(figures)).toEqual([
    {
      base: 600_00,
      withheld: 15_00,
      months: [
        [0, 0],
        [900_00, 45_00],
        [-300_00, -30_00],
      ],
    },
  ])
  const second = await list('2026-Q2')
  expect(second.isComplete).toBe(false)
  expect(second.lines.map(figures)).toEqual([
    {
      base: -600_00,
      withheld: 0,
      months: [
        [-600_00, 0],
        [0, 0],
        [0, 0],
      ],
    },
  ])
  expect((await list('2025-Q4')).lines).toEqual([])
})

test('a week that spans two quarters is of the one that has its Sunday', async () => {
  await build({ periodLength: 'week', firstDay: '2026-03-30' })
  await enterDetails('2026-03-30')
  await setRate('2026-03-30', 1000)
  await sell('2026-03-31', 1)
  await world.close('2026-W14', '2026-04-06')
  expect((await list('2026-Q1')).lines).toEqual([])
  expect((await list('2026-Q2')).lines.map(figures)).toEqual([
    {
      base: 300_00,
      withheld: 30_00,
      months: [
        [300_00, 30_00],
        [0, 0],
        [0, 0],
      ],
    },
  ])
})

test('two payees of one tax number are one taxpayer, with one line and one certificate', async () => {
  const manila: Party = { kind: 'office', id: world.offices.manila }
  await world.close('2026-02-A', '2026-02-16')
  await enterDetails('2026-02-16')
  await enterPayer('2026-02-16')
  // The head office’s branch may be left out.
  const same = { ...manila, ...parties, taxNumber: '123456789', fromDay: '2026-02-16' }
  const enter = (more: object) =>
    call(ann, taxDetailsEndpoints.saveTaxDetails, { body: { ...same, ...more } })
  expect(await enter({})).toMatchObject({
    status: 422,
    body: { data: { sameTaxpayer: [expect.stringContaining('Cebu has it, too.')] } },
  })
  expect((await enter({ sameTaxpayer: true })).status).toBe(200)
  // It has been said.
  expect((await enter({ address: '9 Rizal Avenue, Manila' })).status).toBe(200)
  await setRate('2026-02-16', 500)
  await setRate('2026-02-16', 500, 'WI515', manila)
  await sell('2026-02-17', 3)
  await world.sell('own', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  const { lines } = await list('2026-Q1')
  expect(lines).toMatchObject([{ code: 'WI515', base: 1_200_00, withheld: 60_00 }])
  expect(lines[0].payees.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Cebu',
    'Manila',
  ])
  const rows = []
  for await (const lot of (await taxQuarterSheet(services, ann, '2026-Q1')).rows) rows.push(...lot)
  expect(rows).toHaveLength(1)
  for (const payee of [cebu(), manila]) {
    const made = await getTaxCertificate(services, ann, payee, '2026-Q1')
    expect(made.lines).toMatchObject([{ base: 1_200_00, withheld: 60_00 }])
    expect(made.statements).toHaveLength(2)
    expect(await listTaxCertificates(services, ann, payee)).toMatchObject([
      { quarter: '2026-Q1', lines: [{ base: 1_200_00 }] },
    ])
  }

  // From March on, Manila is its own.
  const own = { fromDay: '2026-04-01', taxNumber: '222-222-222' }
  expect((await enter(own)).status).toBe(200)
  await world.close('2026-03-A', '2026-03-16')
  await world.close('2026-03-B', '2026-04-01')
  await sell('2026-04-02', 1)
  await world.sell('later', 'maria', '2026-04-02', { plain: true })
  await world.close('2026-04-A', '2026-04-16')
  expect((await list('2026-Q2')).lines).toMatchObject([
    { taxNumber: '123-456-789-000', base: 300_00 },
    { taxNumber: '222-222-222', base: 300_00 },
  ])
  const later = await getTaxCertificate(services, ann, cebu(), '2026-Q2')
  expect(later.lines).toMatchObject([{ base: 300_00 }])
  expect((await list('2026-Q1')).lines).toHaveLength(1)
  expect((await enter({ ...own, fromDay: '2026-04-17' })).status).toBe(200)
})

test('a payee with two codes and two currencies in a quarter has a line for each', async () => {
  await enterDetails('2026-02-01')
  await setRate('2026-02-01', 1000)
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  await setRate('2026-02-16', 500, 'WC100')
  await sell('2026-02-17', 2)
  await world.close('2026-02-B', '2026-03-01')
  await world.payIn('USD', world.offices.cebu)
  // Of the AVP site, tiers pay $0.20.
  await world.sell('usd', 'noel', '2026-03-03')
  await world.close('2026-03-A', '2026-03-16')
  const { lines } = await list('2026-Q1')
  expect(
    lines.map(({ code, currency, base, withheld }: TaxLine) => [code, currency, base, withheld]),
  ).toEqual([
    ['WC100', 'PHP', 600_00, 30_00],
    ['WC100', 'USD', 20, 1],
    ['WI515', 'PHP', 300_00, 30_00],
  ])
})

const alphalist = (quarter = '2026-Q1') =>
  call(ann, withholdingEndpoints.exportAlphalist, { body: { quarter, district: '043' } })
const leftToUs = async (quarter = '2026-Q1') =>
  (await call(ann, withholdingEndpoints.alphalist, { query: { quarter } })).body
const ofPerson = (name: string) =>
  `${name}, WI515 at 10 %: a code of persons, whose registered name has to be “Last, First, Middle” in the tax details.`

test('the tax office’s program gets a line for each taxpayer, code and rate, in pesos', async () => {
  await enterDetails('2026-02-01', cebu(), { registeredName: 'Señora’s “Leads” & Co., Inc.' })
  await enterPayer('2026-02-01')
  await setRate('2026-02-01', 1000, 'WC515')
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  await setRate('2026-02-16', 500, 'WC515')
  await sell('2026-02-17', 2)
  const manila: Party = { kind: 'office', id: world.offices.manila }
  await enterDetails('2026-02-16', manila, {
    registeredName: 'Dela Cruz, Maria, Reyes',
    taxNumber: '222-333-444-00012',
  })
  await setRate('2026-02-16', 1000, 'WI515', manila)
  await world.sell('own', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  await world.payIn('USD', world.offices.cebu)
  await world.sell('usd', 'noel', '2026-03-03')
  const rate = { pesosE4: 58_0000, source: 'BSP' }
  const period = { params: { name: '2026-03-A' }, body: rate }
  expect((await call(ann, payEndpoints.savePayExchangeRate, period)).status).toBe(200)
  await world.close('2026-03-A', '2026-03-16')
  expect(await leftToUs()).toEqual({
    problem: 'Some periods that end in this quarter are not closed yet.',
    notes: [],
  })
  expect((await alphalist()).status).toBe(409)
  await world.close('2026-03-B', '2026-04-01')

  // $0.20 and $0.01 of the period’s rate are ₱11.60 and ₱0.58.
  expect(await leftToUs()).toEqual({ problem: null, notes: [] })
  expect((await alphalistFile(services, '2026-Q1', '043')).name).toBe(
    '90080070000000320261601EQ.DAT',
  )
  expect(String((await alphalist()).body).split('\r\n')).toEqual([
    'HQAP,H1601EQ,900800700,0000,"HARBORLINE INC.",03/2026,043',
    'D1,1601EQ,1,222333444,0012,"","DELA CRUZ","MARIA","REYES",03/2026,WI515,10.00,300.00,30.00',
    'D1,1601EQ,2,123456789,0000,"SENORA S LEADS AND CO. INC.","","","",03/2026,WC515,5.00,611.60,30.58',
    'D1,1601EQ,3,123456789,0000,"SENORA S LEADS AND CO. INC.","","","",03/2026,WC515,10.00,300.00,30.00',
    'C1,1601EQ,900800700,0000,03/2026,1211.60,90.58',
    '',
  ])
})

test.each([
  [
    'loses',
    'PH',
    'other',
    ['Cebu Leads Inc. has no Philippine tax number, so it is not in the file.'],
    0,
  ],
  ['gets', 'other', 'PH', [], 2],
] as const)(
  'who %s a Philippine number within the quarter is what they are at its end',
  async (_, before, after, notes, lines) => {
    const number = { PH: '123-456-789-000', other: 'X 1' }
    await enterDetails('2026-02-01', cebu(), { country: before, taxNumber: number[before] })
    await enterPayer('2026-02-01')
    await setRate('2026-02-01', 1000, 'WC515')
    await sell('2026-02-03', 1)
    await world.close('2026-02-A', '2026-02-16')
    await enterDetails('2026-02-16', cebu(), { country: after, taxNumber: number[after] })
    await setRate('2026-02-16', 500, 'WC515')
    await sell('2026-02-17', 1)
    for (const [period, day] of [
      ['2026-02-B', '2026-03-01'],
      ['2026-03-A', '2026-03-16'],
      ['2026-03-B', '2026-04-01'],
    ] as const)
      await world.close(period, day)
    expect((await leftToUs()).notes).toEqual(notes)
    const file = await alphalist()
    const found = String(file.body)
      .split('\r\n')
      .filter((line) => line.startsWith('D1'))
    expect(found).toHaveLength(lines)
    expect(found.every((line) => line.includes(',123456789,'))).toBe(true)
  },
)

test('what the tax office’s program does not take is named, and is not in its file', async () => {
  const manila: Party = { kind: 'office', id: world.offices.manila }
  await world.close('2026-02-A', '2026-02-16')
  await enterDetails('2026-02-16', manila, {
    registeredName: 'Ana Foreign',
    country: 'other',
    taxNumber: 'X 1',
  })
  await setRate('2026-02-16', 1000, 'WI515', manila)
  await world.sell('own', 'maria', '2026-02-17', { plain: true })
  expect(await leftToUs()).toMatchObject({
    problem: 'The tax details of the network are missing. Enter them in Settings → Pay.',
  })
  await enterPayer('2026-02-16')
  await enterDetails('2026-02-16')
  await setRate('2026-02-16', 500)
  const first = await sell('2026-02-17', 3)
  await world.close('2026-02-B', '2026-03-01')
  await setRate('2026-03-01', 1000)
  await world.close('2026-03-A', '2026-03-16')
  for (const name of first.slice(0, 1)) await world.reverse(name, '2026-03-18')
  await world.close('2026-03-B', '2026-04-01')
  expect(await leftToUs()).toEqual({
    problem: null,
    notes: [
      'Ana Foreign has no Philippine tax number, so it is not in the file.',
      'Cebu Leads Inc., WI515 at 10 %: -₱300.00 and -₱30.00 of tax are not in the file, which takes nothing below a centavo. Take it off by hand.',
      ofPerson('Cebu Leads Inc.').replace('10 %', '5 %'),
    ],
  })
  expect(
    String((await alphalist()).body)
      .split('\r\n')
      .slice(1, 3),
  ).toEqual([
    'D1,1601EQ,1,123456789,0000,"CEBU LEADS INC.","","","",03/2026,WI515,5.00,900.00,45.00',
    'C1,1601EQ,900800700,0000,03/2026,900.00,45.00',
  ])
  expect(await leftToUs('2026-Q3')).toMatchObject({
    problem: 'Nothing that the file takes was withheld in this quarter.',
  })
  const body = { quarter: '2026-Q1', district: '43' }
  expect((await call(ann, withholdingEndpoints.exportAlphalist, { body })).status).toBe(422)
})

test('CSV and workbook have the list', async () => {
  await buildQuarter()
  const exported = async (format: string) =>
    (
      await call(ann, withholdingEndpoints.exportTaxQuarter, {
        body: { quarter: '2026-Q1', format },
      })
    ).body as Buffer
  const csv: string[][] = parse(await exported('csv'), { bom: true })
  expect(csv).toEqual([
    'Tax number,Registered name,Address,Payee,Code,Rate,Currency,Earned 2026-01,Tax 2026-01,Earned 2026-02,Tax 2026-02,Earned 2026-03,Tax 2026-03,Earned,Tax withheld'.split(
      ',',
    ),
    [
      '123-456-789-000',
      'Cebu Leads Inc.',
      '8 Colon Street, Cebu City',
      'Cebu',
      'WI515',
      '5 %, 10 %',
      'PHP',
      ...'0.00 0.00 900.00 45.00 -300.00 -30.00 600.00 15.00'.split(' '),
    ],
  ])
  const sheet = readSheet(readZip(await exported('xlsx'))['xl/worksheets/sheet1.xml'] ?? '')
  expect(sheet[1]?.slice(-2).map(Number)).toEqual([600, 15])
})

test('a certificate has both sides, the months, the total and the statements', async () => {
  await buildQuarter()
  const answer = await certificate(ann, '2026-Q1')
  expect(answer.status).toBe(200)
  const { text } = await readPdf([answer.body])
  for (const words of [
    'Certificate of tax withheld',
    '2026-Q1',
    '1 Jan – 31 Mar 2026',
    'Payee Cebu Leads Inc.',
    'Tax number 123-456-789-000',
    'Payer Harborline Inc.',
    'Tax number 900-800-700',
    'Jan 2026 Feb 2026 Mar 2026 Earned Tax withheld',
    'WI515 5 %, 10 % ₱0.00 ₱900.00 -₱300.00 ₱600.00 ₱15.00',
    'Total ₱0.00 ₱900.00 -₱300.00 ₱600.00 ₱15.00',
    '2026-02-B-0001 28 Feb 2026 WI515 5 % ₱900.00 ₱45.00',
    '2026-03-B-0001 31 Mar 2026 WI515 10 % -₱900.00 -₱90.00',
    'form 2307',
  ])
    expect(text).toContain(words)
  expect(text).not.toContain('Not final')
  expect((await readPdf([(await certificate(ann, '2026-Q2')).body])).text).toContain('Not final')
})

test.each(['怡朗辦事處', 'مكتب الملك'])('a certificate names %s', async (registeredName) => {
  await enterDetails('2026-02-01', cebu(), { registeredName })
  await enterPayer('2026-02-01')
  await setRate('2026-02-01', 1000)
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  const { text } = await readPdf([(await certificate(ann, '2026-Q1')).body])
  for (const letter of registeredName.replaceAll(' ', '')) expect(text).toContain(letter)
  expect(text).not.toContain('□')
})

test('without tax details of the network there is no certificate yet, and of those entered later it takes the first', async () => {
  await enterDetails('2026-02-01')
  await setRate('2026-02-01', 1000)
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  expect(await certificate(ann, '2026-Q1')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Settings → Pay') },
  })
  await enterPayer('2026-02-16')
  expect((await certificate(ann, '2026-Q1')).status).toBe(200)
  expect((await certificate(ann, '2025-Q4')).status).toBe(404)
})

test('an agent that is paid and was deleted stays in the list, and has a certificate', async () => {
  await build({ payees: 'agents' })
  const noel: Party = { kind: 'agent', id: world.agents.noel }
  await enterDetails('2026-02-01', noel)
  await enterPayer('2026-02-01')
  await setRate('2026-02-01', 1000, 'WI515', noel)
  await sell('2026-02-03', 1)
  await world.close('2026-02-A', '2026-02-16')
  // ₱300.00 less ₱30.00 of tax is owed.
  await deleteAgent(services, viewer(undefined, ['DELETE_AGENTS']), noel.id, {
    unpaidCentavos: 270_00,
  })
  expect((await list('2026-Q1')).lines).toMatchObject([
    { payees: [{ name: `deleted agent ${noel.id}` }], ...named, base: 300_00, withheld: 30_00 },
  ])
  expect((await certificate(ann, '2026-Q1', noel)).status).toBe(200)
})

test('a payee reads its own certificates, nobody else’s, and none while payouts are hidden', async () => {
  await buildQuarter()
  const { offices, agents } = world
  const office = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const agent = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })
  const other = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const own = (who: Viewer) => call(who, withholdingEndpoints.taxCertificates, { params: cebu() })
  expect((await own(office)).status).toBe(403)
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  expect((await own(office)).body).toMatchObject([
    { quarter: '2026-Q2', isComplete: false },
    { quarter: '2026-Q1', isComplete: true, lines: [{ base: 600_00, withheld: 15_00 }] },
  ])
  expect((await certificate(office, '2026-Q1')).status).toBe(200)
  for (const who of [agent, other]) {
    expect((await own(who)).status).toBe(404)
    expect((await certificate(who, '2026-Q1')).status).toBe(404)
    expect(
      (await call(who, withholdingEndpoints.taxQuarter, { query: { quarter: '2026-Q1' } })).status,
    ).toBe(403)
  }
})
