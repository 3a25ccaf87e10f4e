import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { earnedEndpoints } from '@tallyroom/contract/pay/closing/earned'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { profitEndpoints } from '@tallyroom/contract/pay/bookings/profit'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import {
  statementSections,
  statementSums,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { withholdingEndpoints } from '@tallyroom/contract/pay/books/withholding'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { booksRoutes } from './books.routes.ts'
import { getJournal } from './journal.ts'
import { getPayeeYear, listPayeeYears } from './payee-year.ts'

/* A payee of whom 10 % are withheld gets money that is not income. */

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...payProposalsRoutes(services),
  ...booksRoutes(services),
  ...dashboardRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
let office: Viewer

const cebu = () => ({ kind: 'office' as const, id: world.offices.cebu })

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ann = await buildPerson(db, 'ann')
  bob = await buildPerson(db, 'bob')
  office = viewer({ role: 'company', officeId: world.offices.cebu, agentId: undefined })
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await sealWorld(db)
  const parties = {
    registeredName: 'Cebu Leads Inc.',
    country: 'PH',
    taxNumber: '123-456-789-000',
    address: '8 Colon Street, Cebu City',
    fromDay: '2026-02-01',
  }
  await call(ann, taxDetailsEndpoints.saveTaxDetails, { body: { ...cebu(), ...parties } })
  await call(ann, taxDetailsEndpoints.savePayerDetails, {
    body: { ...parties, taxNumber: '900800700' },
  })
  const rate = { fromDay: '2026-02-01', rateBp: 1000, code: 'WI515', reason: 'As agreed' }
  await approve(
    (await call(ann, taxDetailsEndpoints.proposeTaxRate, { body: { ...cebu(), ...rate } })).body,
  )
})

async function approve({ proposalId: id }: { proposalId: number }) {
  const { status } = await call(bob, payProposalsEndpoints.approvePayProposal, { params: { id } })
  expect(status).toBe(200)
}

let adjustments = 0
const adjust = (amount: number, more: object = {}) =>
  call(ann, balancesEndpoints.createAdjustment, {
    body: { ...cebu(), currency: 'PHP', amount, reason: `no. ${++adjustments}`, ...more },
  })
const notIncome = { countsAs: 'not income' }

/** Sales of Cebu’s agent at ₱300.00 each. */
async function sell(day: string, names: readonly string[]) {
  for (const name of names) await world.sell(name, 'noel', day, { plain: true })
}

const statementOf = async (period: string): Promise<StatementContent> => {
  const { items } = (await call(ann, statementsEndpoints.statements, { query: { period } })).body
  const params = { id: items[0].id }
  return (await call(ann, statementsEndpoints.statement, { params })).body.content
}

const inJournal = async (month: string) =>
  (await getJournal(services, month)).lines.map(({ account, debit, credit }) => [
    account,
    debit - credit,
  ])

test('₱12,000.00 of reimbursement leave the tax as it was: statement, journal, list, certificate, year and Profit agree', async () => {
  await sell('2026-02-03', ['a', 'b', 'c'])
  await adjust(100_00)
  // Above the limit of ₱10,000.00: the approver reads what it is.
  const { proposalId } = (await adjust(12_000_00, { ...notIncome, reason: 'Two computers' })).body
  const [waiting] = (await call(bob, payProposalsEndpoints.payProposals)).body
  expect(waiting.does).toMatchObject({ kind: 'adjustment', countsAs: 'not income' })
  await approve({ proposalId })
  const shown = (await call(ann, balancesEndpoints.balance, { params: cebu() })).body.adjustments
  expect(shown.map((one: { countsAs: string }) => one.countsAs)).toEqual(['not income', 'earned'])
  await world.close('2026-02-A', '2026-02-16')

  // 3 × ₱300.00 + ₱100.00 are earned, 10 % of it is withheld: ₱13,000.00 − ₱100.00 are due.
  const content = await statementOf('2026-02-A')
  expect(content).toMatchObject({
    amount: 13_000_00,
    notIncome: 12_000_00,
    due: 12_900_00,
    tax: { base: 1_000_00, withheld: 100_00 },
    adjustments: [{ amount: 100_00 }, { amount: 12_000_00, countsAs: 'not income' }],
  })
  expect(content.adjustments[0]).not.toHaveProperty('countsAs')
  const sections = statementSections(content).map(({ title, sums }) => [title, sums[0]?.amount])
  expect(sections).toEqual([
    ['Sales and bonuses', 900_00],
    ['Adjustments', 100_00],
    ['Not income', 12_000_00],
  ])
  expect(statementSums(content).find(({ key }) => key === 'tax')?.label).toBe(
    'Tax withheld 10 % of ₱1,000.00, without ₱12,000.00 that is not income (WI515)',
  )

  expect(await inJournal('2026-02')).toEqual([
    ['commissions', 1_000_00],
    ['payable', -1_000_00],
    ['reimbursements', 12_000_00],
    ['payable', -12_000_00],
    ['payable', 100_00],
    ['withheld', -100_00],
  ])
  const query = { quarter: '2026-Q1' }
  const { lines } = (await call(ann, withholdingEndpoints.taxQuarter, { query })).body
  expect(lines).toMatchObject([{ base: 1_000_00, withheld: 100_00 }])
  const [certificate] = (await call(ann, withholdingEndpoints.taxCertificates, { params: cebu() }))
    .body
  expect(certificate.lines).toEqual(lines)
  const year = { earned: 1_000_00, notIncome: 12_000_00, tax: 100_00, carried: 12_900_00 }
  const range = { start: '2026-01-01', end: '2026-12-31' }
  expect(await listPayeeYears(services, range)).toMatchObject([year])
  const own = await getPayeeYear(services, ann, cebu(), range)
  expect(own.months[0]).toMatchObject(year)
  for (const groupBy of ['period', 'office', 'site'] as const) {
    const rows = (await call(ann, profitEndpoints.profit, { query: { groupBy } })).body
    const sum = (of: 'adjustmentsCentavos' | 'payoutCentavos') =>
      rows.reduce((total: number, row: Record<string, number>) => total + (row[of] ?? 0), 0)
    expect([sum('adjustmentsCentavos'), sum('payoutCentavos')]).toEqual([100_00, 1_000_00])
  }
  const exported = (await exportPeriod(db, '2026-02-A')).map(({ entry, amount }) => [entry, amount])
  expect(exported.filter(([entry]) => entry !== 'event' && entry !== 'carried')).toEqual([
    ['not income', 12_000_00],
    ['adjustment', 100_00],
    ['total', 13_000_00],
    ['tax', -100_00],
  ])
  expect((await verifyPay(db)).findings).toEqual([])
})

test('a statement without any has the bytes that it had before there was another kind', async () => {
  await sell('2026-02-03', ['a'])
  await adjust(100_00)
  await world.close('2026-02-A', '2026-02-16')
  const { content } = await db.selectFrom('statements').select('content').executeTakeFirstOrThrow()
  const text = content.toString()
  expect([text.includes('countsAs'), text.includes('notIncome')]).toEqual([false, false])
  const { not_income } = await db
    .selectFrom('statements')
    .select('not_income')
    .executeTakeFirstOrThrow()
  expect(not_income).toBe(null)
})

test('taking one back is not income either, and what both leave is nothing', async () => {
  await sell('2026-02-03', ['a'])
  const { id } = (await adjust(5_000_00, notIncome)).body
  await world.close('2026-02-A', '2026-02-16')
  const params = { id: String(id) }
  await call(ann, balancesEndpoints.takeBackAdjustment, { params, body: { reason: 'A mistake' } })
  await world.close('2026-02-B', '2026-03-01')
  const content = await statementOf('2026-02-B')
  // Nothing was earned in it, so no tax is given back.
  expect(content).toMatchObject({
    amount: -5_000_00,
    notIncome: -5_000_00,
    tax: { base: 0, withheld: 0 },
  })
  const [year] = await listPayeeYears(services, { start: '2026-01-01', end: '2026-12-31' })
  expect(year).toMatchObject({ earned: 300_00, notIncome: 0, tax: 30_00, carried: 270_00 })
  expect((await verifyPay(db)).findings).toEqual([])
})

test('before closing, estimate and next payment withhold what closing will', async () => {
  await sell('2026-02-03', ['a'])
  await adjust(5_000_00, notIncome)
  services.clock.set('2026-02-10T17:00:00Z')
  const preview = (await call(ann, payEndpoints.payPreview, { params: { name: '2026-02-A' } })).body
  expect(preview.items ?? preview).toMatchObject([{ amount: 5_300_00, due: 5_270_00 }])
  const params = { name: '2026-02-A' }
  const [estimate] = (await call(office, earnedEndpoints.estimate, { params })).body
  expect(estimate.content).toMatchObject({
    notIncome: 5_000_00,
    tax: { base: 300_00, withheld: 30_00 },
  })
  const { pay } = (await call(office, homeEndpoints.home)).body
  expect(pay.next).toMatchObject({ amount: 5_270_00, withheld: 30_00 })
})

test('in dollars, what is not income is converted at the period’s rate, and the rest is earned', async () => {
  await world.payIn('USD', world.offices.cebu)
  await sell('2026-02-03', ['a'])
  await adjust(20_00, { ...notIncome, currency: 'USD' })
  const rate = { pesosE4: 50_0000, source: 'BSP' }
  await call(ann, payEndpoints.savePayExchangeRate, { params: { name: '2026-02-A' }, body: rate })
  await world.close('2026-02-A', '2026-02-16')
  // ₱300.00 are $6.00.
  expect(await statementOf('2026-02-A')).toMatchObject({
    amount: 26_00,
    notIncome: 20_00,
    tax: { base: 6_00, withheld: 60 },
  })
  expect((await verifyPay(db)).findings).toEqual([])
})

test('the correction of a former balance is not income if whoever enters it says so', async () => {
  await world.payIn('USD', world.offices.cebu)
  await adjust(20_00, { currency: 'USD' })
  await world.close('2026-02-A', '2026-02-16')
  await world.payIn('PHP', world.offices.cebu)
  // $20.00 less 10 % are owed in dollars, of which $8.00 more were for a returned fee.
  await approve((await adjust(8_00, { ...notIncome, currency: 'USD', reason: 'A fee' })).body)
  expect((await inJournal('2026-02')).slice(-2)).toEqual([
    ['reimbursements', 8_00],
    ['payable', -8_00],
  ])
  const [year] = await listPayeeYears(services, { start: '2026-01-01', end: '2026-12-31' })
  expect(year).toMatchObject({ earned: 20_00, notIncome: 8_00, tax: 2_00, carried: 26_00 })
  const rows = await exportPeriod(db, '2026-02-A')
  expect(rows.filter(({ entry }) => entry === 'correction')).toEqual([])
  await world.close('2026-02-B', '2026-03-01')
  expect(await exportPeriod(db, '2026-02-B')).toContainEqual(
    expect.objectContaining({ entry: 'correction', amount: 8_00, text: 'A fee, not income' }),
  )
  expect((await verifyPay(db)).findings).toEqual([])
})

test('what is held back for doubtful sales can only be earned', async () => {
  const refused = await adjust(-1_00, { ...notIncome, heldBackFor: world.agents.noel })
  expect([refused.status, refused.body.data]).toEqual([
    422,
    { countsAs: ['must be earned, as what it holds back is'] },
  ])
})
