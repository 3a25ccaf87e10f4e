import {
  booksEndpoints,
  type JournalLine,
  USUAL_ACCOUNTS,
} from '@tallyroom/contract/pay/books/books'
import { parse } from 'csv-parse/sync'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPayment } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { savePaySettings } from '../acts/settings.ts'
import { booksRoutes } from './books.routes.ts'
import { journalFiles } from './journal-csv.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(booksRoutes(services))
const boss = viewer(undefined, ['PAY'])

let world: Awaited<ReturnType<typeof buildPayWorld>>

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'journal_accounts', 'options'])
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  world = await buildPayWorld(services, { avp: 'information' })
})

const journal = async (month: string): Promise<{ lines: JournalLine[]; months: string[] }> =>
  (await call(boss, booksEndpoints.journal, { query: { month } })).body

const year = { start: '2026-01-01', end: '2026-12-31' }

/** Manila earns ₱300.00 in February, is paid by one transfer that fails and one that comes back, and by a third. */
async function buildYear() {
  const { manila } = world.offices
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  const pay = (at: string, more: { paid: boolean; returned?: boolean }) =>
    buildPayment(db, manila, { currency: 'PHP', amount: 300_00, at: new Date(at), ...more })
  await pay('2026-02-20T15:00:00Z', { paid: false })
  await pay('2026-03-02T15:00:00Z', { paid: true, returned: true })
  // The 31st in New York.
  await pay('2026-04-01T03:00:00Z', { paid: true })
}

test('the journal debits and credits each change of a balance, in its month', async () => {
  await buildYear()
  services.clock.set('2026-04-02T15:00:00Z')
  const { lines, months } = await journal('2026-02')
  expect(months).toEqual(['2026-03', '2026-02'])
  expect(
    lines.map(({ day, account, debit, credit, payee, document, text }) => [
      day,
      account,
      debit,
      credit,
      payee,
      document.replace(/R-test-\d+/, 'R'),
      text.replace(/T\d+/, 'T1'),
    ]),
  ).toEqual([
    [
      '2026-02-15',
      'commissions',
      300_00,
      0,
      'Manila',
      '2026-02-A-0001',
      'Statement 2026-02-A-0001',
    ],
    ['2026-02-15', 'payable', 0, 300_00, 'Manila', '2026-02-A-0001', 'Statement 2026-02-A-0001'],
    ['2026-02-20', 'payable', 300_00, 0, 'Manila', 'R', 'Transfer T1 was approved'],
    ['2026-02-20', 'transit', 0, 300_00, 'Manila', 'R', 'Transfer T1 was approved'],
    ['2026-02-20', 'transit', 300_00, 0, 'Manila', 'R', 'Transfer T1 failed'],
    ['2026-02-20', 'payable', 0, 300_00, 'Manila', 'R', 'Transfer T1 failed'],
  ])
  const march = (await journal('2026-03')).lines
  expect(
    march.map(({ day, account, debit, text }) => [
      day,
      account,
      debit > 0,
      text.replace(/T\d+/, 'T1'),
    ]),
  ).toEqual([
    ['2026-03-02', 'payable', true, 'Transfer T1 is paid'],
    ['2026-03-02', 'bank', false, 'Transfer T1 is paid'],
    ['2026-03-02', 'bank', true, 'Transfer T1 came back on 2026-03-02: Account closed'],
    ['2026-03-02', 'payable', false, 'Transfer T1 came back on 2026-03-02: Account closed'],
    ['2026-03-31', 'payable', true, 'Transfer T1 is paid'],
    ['2026-03-31', 'bank', false, 'Transfer T1 is paid'],
  ])
})

test('QuickBooks and Xero get the columns that they import, under the accounts of the settings', async () => {
  await buildYear()
  const { manila } = world.offices
  const body = {
    ...USUAL_ACCOUNTS,
    commissions: 'Commissions:Agents',
    payable: '2100',
    vendors: [{ kind: 'office' as const, id: manila, name: 'Manila Marketing Inc.' }],
  }
  expect((await call(boss, booksEndpoints.saveJournalAccounts, { body })).status).toBe(200)
  const answer = (await call(boss, booksEndpoints.journal, { query: { month: '2026-02' } })).body
  expect(answer.accounts).toEqual(body)
  const lines: JournalLine[] = answer.lines.slice(0, 2)
  const { entry } = lines[0]!
  const rowsOf = (format: 'plain' | 'quickbooks' | 'xero') =>
    journalFiles(lines, answer.accounts, format).map(({ name, text }) => [name, parse(text)])
  expect(rowsOf('quickbooks')).toEqual([
    [
      '-quickbooks',
      [
        [
          'JournalNo',
          'JournalDate',
          'AccountName',
          'Debits',
          'Credits',
          'Description',
          'Name',
          'Currency',
        ],
        [
          `T${entry}`,
          '02/15/2026',
          'Commissions:Agents',
          '300.00',
          '',
          'Statement 2026-02-A-0001',
          'Manila Marketing Inc.',
          'PHP',
        ],
        [
          `T${entry}`,
          '02/15/2026',
          '2100',
          '',
          '300.00',
          'Statement 2026-02-A-0001',
          'Manila Marketing Inc.',
          'PHP',
        ],
      ],
    ],
  ])
  expect(rowsOf('xero')).toEqual([
    [
      '-xero-PHP',
      [
        ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
        [
          `T${entry} Statement 2026-02-A-0001`,
          '15/02/2026',
          'Manila',
          'Commissions:Agents',
          'Tax Exempt',
          '300.00',
        ],
        [
          `T${entry} Statement 2026-02-A-0001`,
          '15/02/2026',
          'Manila',
          '2100',
          'Tax Exempt',
          '-300.00',
        ],
      ],
    ],
  ])
  expect(rowsOf('plain')[0]?.[1]?.[1]).toEqual([
    '2026-02-15',
    'Commissions:Agents',
    '300.00',
    '',
    'PHP',
    'Manila',
    '',
    '2026-02-A-0001',
    'Statement 2026-02-A-0001',
    entry,
    '2026-02-15',
  ])
})

test('what is payable in dollars has an account of its own, once it was named', async () => {
  const { manila } = world.offices
  await buildPayment(db, manila, {
    currency: 'USD',
    amount: 10_00,
    at: new Date('2026-02-20T15:00:00Z'),
    paid: true,
  })
  services.clock.set('2026-02-21T15:00:00Z')
  const accountsIn = async () => {
    const { lines, accounts } = (
      await call(boss, booksEndpoints.journal, { query: { month: '2026-02' } })
    ).body
    const [file] = journalFiles(lines, accounts, 'quickbooks')
    return parse(file?.text ?? '').map(([, , account]: string[]) => account)
  }
  expect(await accountsIn()).toEqual(['AccountName', 'Commissions payable in dollars', 'Bank'])
  // As it was named before there was one.
  await db
    .insertInto('journal_accounts')
    .values({
      commissions: '610',
      reimbursements: '620',
      payable: '2100',
      bank: 'Our bank',
      transit: '111',
      outside: '100',
      advances: '120',
      clearing: '190',
      withheld: '230',
      tax_rate: 'None',
      vendors: '[]',
      set_at: new Date(0),
      set_by: 1,
    })
    .execute()
  expect(await accountsIn()).toEqual(['AccountName', '2100', 'Our bank'])
  const body = { ...USUAL_ACCOUNTS, payable: '2100', payableUsd: '2101' }
  await call(boss, booksEndpoints.saveJournalAccounts, { body })
  expect(await accountsIn()).toEqual(['AccountName', '2101', 'Bank'])
})

test('Xero takes 300 lines at once, so there are more files, without dollars; no entry is torn apart', () => {
  const line = (entry: number, currency: 'PHP' | 'USD', debit: number): JournalLine => ({
    entry: String(entry),
    day: '2026-02-16',
    belongs: '2026-02-16',
    account: 'bank',
    debit,
    credit: 1 - debit,
    currency,
    payee: '',
    payeeKey: { kind: 'office', id: 1 },
    reference: '',
    document: '',
    text: '',
  })
  const lines = Array.from({ length: 151 }, (_, index) => [
    line(index, 'PHP', 1),
    line(index, 'PHP', 0),
  ]).flat()
  const files = journalFiles(
    [...lines, line(200, 'USD', 1), line(200, 'USD', 0)],
    USUAL_ACCOUNTS,
    'xero',
  )
  expect(files.map(({ name, text }) => [name, parse(text).length - 1])).toEqual([
    ['-xero-PHP-1', 300],
    ['-xero-PHP-2', 2],
  ])
})

test('a payee’s year says by month what was earned, paid, returned and carried', async () => {
  await buildYear()
  services.clock.set('2026-04-01T03:30:00Z')
  const { manila } = world.offices
  const params = { kind: 'office', id: manila }
  const { body } = await call(boss, booksEndpoints.payeeYear, { params, query: year })
  const shared = { currency: 'PHP', notIncome: 0, tax: 0, received: 0, converted: 0, givenUp: 0 }
  expect(body).toEqual({
    payee: { kind: 'office', id: manila, name: 'Manila' },
    months: [
      {
        ...shared,
        month: '2026-02-01',
        before: 0,
        earned: 300_00,
        paid: 0,
        returned: 0,
        carried: 300_00,
      },
      {
        ...shared,
        month: '2026-03-01',
        before: 300_00,
        earned: 0,
        paid: 600_00,
        returned: 300_00,
        carried: 0,
      },
    ],
  })
  const list = await call(boss, booksEndpoints.payeeYears, {
    query: { start: '2026-03-03', end: '2026-03-31' },
  })
  expect(list.body).toEqual([
    {
      ...shared,
      payee: body.payee,
      before: 300_00,
      earned: 0,
      paid: 300_00,
      returned: 0,
      carried: 0,
    },
  ])
})

test('in a year in which payees changed from offices to agents, each has its own part', async () => {
  const { manila } = world.offices
  const { maria } = world.agents
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  services.clock.set('2026-02-10T15:00:00Z')
  await savePaySettings(services, world.who, {
    payees: 'agents',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
  })
  await world.close('2026-02-A', '2026-02-16')
  await world.sell('b', 'maria', '2026-02-17', { plain: true, payout_centavos: 111_00 })
  await world.close('2026-02-B', '2026-03-01')
  const list = await call(boss, booksEndpoints.payeeYears, { query: year })
  expect(
    list.body.map((one: { payee: object; earned: number; carried: number }) => [
      one.payee,
      one.earned,
      one.carried,
    ]),
  ).toEqual([
    [{ kind: 'office', id: manila, name: 'Manila' }, 300_00, 300_00],
    [expect.objectContaining({ kind: 'agent', id: maria }), 111_00, 111_00],
  ])
})

test('a payee sees its own year and no other’s', async () => {
  await buildYear()
  const { manila, cebu } = world.offices
  const company = (officeId: number) => viewer({ role: 'company', officeId, agentId: undefined })
  const see = async (who: ReturnType<typeof viewer>, kind: string, id: number) =>
    (await call(who, booksEndpoints.payeeYear, { params: { kind, id }, query: year })).status
  expect(await see(company(manila), 'office', manila)).toBe(200)
  expect(await see(company(cebu), 'office', manila)).toBe(404)
  expect(await see(company(manila), 'agent', world.agents.maria)).toBe(404)
  const maria = viewer({ role: 'agent', officeId: manila, agentId: world.agents.maria })
  expect(await see(maria, 'agent', world.agents.maria)).toBe(200)
  expect(await see(maria, 'office', manila)).toBe(404)
  expect((await call(company(manila), booksEndpoints.payeeYears, { query: year })).status).toBe(403)
})
