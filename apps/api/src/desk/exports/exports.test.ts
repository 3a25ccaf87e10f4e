import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import { statsFigures } from '@tallyroom/contract/figures/stats-figures'
import { statsTables, type StatsTableName } from '@tallyroom/contract/figures/stats-table'
import { type SiteStats, statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { CSV_MARK } from '@tallyroom/domain/csv'
import { daysBetween } from '@tallyroom/domain/new-york'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import { readSheet, readZip } from '../../../test/read-xlsx.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { statisticsRoutes } from '../../figures/statistics/statistics.routes.ts'
import { exportsRoutes } from './exports.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
services.clock.set('2026-03-25T12:00:00Z')
const { offices, agents, sites, types } = await buildHandCountedWorld(db)
const call = await callRoutes([...exportsRoutes(services), ...statisticsRoutes(services)])

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
const noel = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })

const firstHalf = { start: '2026-03-01', end: '2026-03-15' }
const threeWeeks = { start: '2026-03-02', end: '2026-03-22' }

type ExportName = keyof typeof exportsEndpoints

const ask = (who: Viewer, name: ExportName, criteria: object, format: 'csv' | 'xlsx' = 'csv') =>
  call(who, exportsEndpoints[name], { body: { format, criteria } })

const bytesOf = async (...asked: Parameters<typeof ask>): Promise<Buffer> => {
  const { status, body } = await ask(...asked)
  if (status !== 200 || !Buffer.isBuffer(body)) throw new Error(JSON.stringify(body))
  return body
}

/** Headings and rows. */
const tableOf = async (...asked: Parameters<typeof ask>): Promise<string[][]> =>
  parse(await bytesOf(...asked), { bom: true })

describe('Payroll in the first half of March', () => {
  test('as CSV', async () => {
    const criteria = { ...firstHalf, siteId: sites.alpha }
    expect(String(await bytesOf(superadmin, 'exportPayroll', criteria))).toBe(
      lines(`
        Date,Office,Agent,Agent Name,Raws,Uniques,Sales,Bonus Sales,Bonus Ratio %,Payout ₱,Bonus Payout ₱,Free,Free ₱,Paid,Paid ₱,Earn $,Bonus Earn $
        2026-03-10,Manila,maria,,0,0,-1,0,0.00,-100.10,0.00,-1,-100.10,0,0.00,-5.01,0.00
        2026-03-09,Manila,maria,,0,0,1,0,0.00,700.00,0.00,0,0.00,1,700.00,30.00,0.00
        2026-03-08,Manila,maria,,0,0,1,0,0.00,100.10,0.00,1,100.10,0,0.00,5.01,0.00
        2026-03-07,Cebu,carlo,,0,0,1,0,0.00,100.10,0.00,1,100.10,0,0.00,5.01,0.00
        2026-03-05,Cebu,noel,,0,0,1,0,0.00,700.00,0.00,0,0.00,1,700.00,30.00,0.00
        2026-03-04,Manila,noel,,1,1,0,1,0.00,0.00,70.07,0,0.00,0,0.00,0.00,5.05
        2026-03-02,Manila,noel,,0,0,1,0,0.00,100.10,0.00,1,100.10,0,0.00,5.01,0.00
      `),
    )
  })

  test('as XLSX: days and amounts are values, and the criteria are on a separate sheet', async () => {
    const parts = readZip(
      await bytesOf(superadmin, 'exportPayroll', { ...firstHalf, groupBy: 'date' }, 'xlsx'),
    )
    const day = (text: string) => daysBetween('1899-12-30', text)
    expect(readSheet(parts['xl/worksheets/sheet1.xml'] ?? '')).toEqual([
      [
        'Date',
        'Raws',
        'Uniques',
        'Sales',
        'Bonus Sales',
        'Bonus Ratio %',
        'Payout ₱',
        'Bonus Payout ₱',
        'Earn $',
        'Bonus Earn $',
      ],
      [day('2026-03-15'), 0, 0, 1, 0, 0, 300.75, 0, 14, 0],
      [day('2026-03-10'), 0, 0, -1, 0, 0, -100.1, 0, -5.01, 0],
      [day('2026-03-09'), 0, 0, 1, 0, 0, 700, 0, 30, 0],
      [day('2026-03-08'), 2, 2, 2, 0, 0, 500.1, 0, 25.01, 0],
      [day('2026-03-07'), 0, 0, 1, 0, 0, 100.1, 0, 5.01, 0],
      [day('2026-03-05'), 0, 0, 1, 0, 0, 700, 0, 30, 0],
      [day('2026-03-04'), 1, 1, 0, 1, 0, 0, 70.07, 0, 5.05],
      [day('2026-03-02'), 0, 0, 1, 0, 0, 100.1, 0, 5.01, 0],
      ['Overall total', 3, 3, 6, 1, 100 / 6, 2300.95, 70.07, 104.02, 5.05],
    ])
    expect(readSheet(parts['xl/worksheets/sheet2.xml'] ?? '')).toEqual([
      ['Title', 'Payroll'],
      ['Criteria', 'From 2026-03-01 To 2026-03-15 [All sites, Type:All, Office:All, Agent:All]'],
      ['Time zone', 'America/New_York'],
      ['Made', '2026-03-25 08:00:00 EDT by superadmin'],
      ['Rows', 8],
    ])
    expect(day('2026-03-15')).toBe(46_096) // what Excel calls it
  })
})

const tables = {
  sites: ['exportSiteStats', statisticsEndpoints.siteStats, ['date', 'company', 'agent', 'detail']],
  avp: ['exportAvpStats', statisticsEndpoints.avpStats, ['agent', 'detail']],
  payroll: ['exportPayroll', statisticsEndpoints.payroll, ['date', 'company', 'agent', 'detail']],
  payrollAvp: [
    'exportPayrollAvp',
    statisticsEndpoints.payrollAvp,
    ['date', 'company', 'agent', 'detail'],
  ],
} as const satisfies Record<StatsTableName, unknown>

const everyTable = (['sites', 'avp', 'payroll', 'payrollAvp'] as const).flatMap((name) =>
  tables[name][2].flatMap((groupBy) => [
    { name, groupBy, more: {} },
    { name, groupBy, more: { siteId: sites.alpha } },
  ]),
)

describe('figures and totals of the file are those of the page', () => {
  beforeAll(async () => {
    await setOption('lpp_visible', '1')
    return () => setOption('lpp_visible', '0')
  })

  test.each(everyTable)('$name by $groupBy $more', async ({ name, groupBy, more }) => {
    const [exportName, endpoint] = tables[name]
    const criteria = { ...threeWeeks, groupBy, ...more }
    const { body } = await call(superadmin, endpoint, { body: criteria })
    const page = body as SiteStats // parsed by its schema
    const figures = statsFigures(statsTables[name], groupBy, page)
    const file = await tableOf(superadmin, exportName, criteria)

    expect(page.page.total).toBeGreaterThan(1)
    const numbers = file.slice(1).map((row) => row.slice(-figures.length).map(Number))
    expect(numbers).toEqual(
      page.page.items.map((amounts) =>
        figures.map(({ kind, value }) => {
          const figure = value(amounts) ?? Number.NaN
          return kind === 'percent' ? Number(figure.toFixed(2)) : figure
        }),
      ),
    )
    expect(file[0]?.slice(-figures.length)).toEqual(
      figures.map(({ header }) => expect.stringContaining(header)),
    )
  })
})

test('one set of criteria fits all four reports: an empty tier or sort counts as none', async () => {
  const criteria = { start: '2026-03-02', end: '2026-03-22', groupBy: 'agent' }
  const empty = { avp: null, sortField: null, sortAsc: null, siteId: null }
  for (const [, endpoint] of Object.values(tables)) {
    const plain = await call(superadmin, endpoint, { body: criteria })
    expect(plain.status).toBe(200)
    expect(await call(superadmin, endpoint, { body: { ...criteria, ...empty } })).toEqual(plain)
  }
  const tier = { ...criteria, avp: 1 }
  expect(await call(superadmin, statisticsEndpoints.siteStats, { body: tier })).toMatchObject({
    status: 422,
    body: { data: { avp: ['is only for the AVP reports'] } },
  })
})

test('AVP tables have the agent’s tier in their rows', async () => {
  const file = await tableOf(superadmin, 'exportAvpStats', {
    start: '2026-03-02',
    end: '2026-03-08',
    groupBy: 'agent',
  })
  expect(file.map((row) => row.slice(0, 5))).toEqual([
    ['Agent', 'Agent Name', 'Office', 'AVP', 'Week’s AVP Sales'],
    ['carlo', '', 'Cebu', '1-1 sales', '1'],
    ['maria', '', 'Manila', '0 sales', '0'],
    ['noel', '', 'Manila', '2+', '2'],
    ['noel', '', 'Cebu', '2+', '2'],
  ])
})

test('the order is the page’s, whatever page is shown', async () => {
  const file = await tableOf(superadmin, 'exportSiteStats', {
    ...firstHalf,
    groupBy: 'agent',
    sortField: 'sales',
    sortAsc: false,
    page: 7,
    pageSize: 1,
  })
  expect(file.map((row) => row[0])).toEqual(['Agent', 'carlo', 'maria', 'noel', 'noel'])
})

describe('whoever exports', () => {
  const header = async (who: Viewer, more: object = {}) =>
    (await tableOf(who, 'exportSiteStats', { ...firstHalf, ...more }))[0]

  test('as an office gets its own rows, without the column of its name', async () => {
    const file = await tableOf(manila, 'exportSiteStats', firstHalf)
    expect(file).toEqual([
      ['Date', 'Agent', 'Agent Name', 'Raws', 'Uniques', 'Sales', 'Bonus Sales', 'Bonus Ratio %'],
      ['2026-03-10', 'maria', '', '0', '0', '-1', '0', '0.00'],
      ['2026-03-09', 'maria', '', '0', '0', '1', '0', '0.00'],
      ['2026-03-08', 'maria', '', '0', '0', '1', '0', '0.00'],
      ['2026-03-04', 'noel', '', '1', '1', '0', '1', '0.00'],
      ['2026-03-02', 'noel', '', '0', '0', '1', '0', '0.00'],
    ])
  })

  test('as an agent gets their own rows, without names', async () => {
    expect(
      await tableOf(noel, 'exportSiteStats', { ...firstHalf, companyId: offices.cebu }),
    ).toEqual([
      ['Date', 'Raws', 'Uniques', 'Sales', 'Bonus Sales', 'Bonus Ratio %'],
      ['2026-03-05', '0', '0', '1', '0', '0.00'],
    ])
  })

  test('gets only the amounts that they may see', async () => {
    const amounts = ['Earn $', 'Payout ₱']
    expect(await header(superadmin)).toEqual(expect.arrayContaining(amounts))
    expect(await header(admin)).not.toContain('Earn $')
    expect(await header(admin)).toContain('Payout ₱')
    expect(await header(manila)).not.toContain('Payout ₱')
    await setOption('payout_visible', '1')
    expect(await header(manila)).toContain('Payout ₱')
    await setOption('payout_visible', '0')
  })

  test.each(['exportPayroll', 'exportPayrollAvp'] as const)(
    '%s is for staff alone',
    async (name) => {
      for (const who of [manila, noel]) {
        expect(await ask(who, name, threeWeeks)).toMatchObject({ status: 403 })
      }
    },
  )

  test.each(['exportTop10', 'exportOfficePerformance', 'exportOfficeCharts'] as const)(
    '%s is not for agents',
    async (name) => {
      const criteria =
        name === 'exportOfficePerformance' ? { period1: firstHalf, period2: firstHalf } : firstHalf
      expect(await ask(noel, name, criteria)).toMatchObject({ status: 403 })
      expect(await ask(manila, name, criteria)).toMatchObject({ status: 200 })
    },
  )

  test('gets no names of others, as if these did not exist', async () => {
    const told = async (who: Viewer, criteria: object) => {
      const asked = { ...firstHalf, ...criteria }
      const book = readZip(await bytesOf(who, 'exportSiteStats', asked, 'xlsx'))
      return JSON.stringify(
        ['sheet1', 'sheet2'].map((sheet) => readSheet(book[`xl/worksheets/${sheet}.xml`] ?? '')),
      )
    }

    for (const who of [manila, noel]) {
      const foreign = await told(who, { companyId: offices.cebu, agentId: agents.carlo })
      expect(foreign).toBe(await told(who, { companyId: 999_999, agentId: 999_999 }))
      expect(foreign).not.toContain('carlo')
      // An agent reads only their own rows, and an office finds none of another office's agent.
      expect(foreign).toContain(who === manila ? 'Office:Manila, Agent:unknown' : 'Agent:noel')
      expect(await told(who, { typeId: types.gift })).toContain('Type:unknown')
    }
  })

  test('is refused a site that they never sold, as on the page', async () => {
    expect(await ask(noel, 'exportSiteStats', { ...firstHalf, siteId: 999_999 })).toMatchObject({
      status: 422,
      body: { data: { siteId: ['This site no longer exists. Choose another one'] } },
    })
    expect(await ask(noel, 'exportSiteStats', { ...firstHalf, groupBy: 'agent' })).toMatchObject({
      status: 422,
    })
  })
})

describe('names that a spreadsheet might evaluate', () => {
  const hostile = [
    '=HYPERLINK("http://evil.example","click")',
    '+1',
    '-1',
    '@x',
    'a "b", c',
    'émile 🦄 <b>&amp;',
    '_x0041_',
  ]

  beforeAll(async () => {
    const before = await db
      .selectFrom('offices')
      .select('name')
      .where('id', '=', offices.cebu)
      .executeTakeFirstOrThrow()
    return () =>
      db
        .updateTable('offices')
        .set(before)
        .where('id', '=', offices.cebu)
        .execute()
        .then(() => undefined)
  })

  test.each(hostile)('%s', async (name) => {
    await db.updateTable('offices').set({ name }).where('id', '=', offices.cebu).execute()
    const criteria = { ...firstHalf, groupBy: 'company', companyId: offices.cebu }

    const text = String(await bytesOf(superadmin, 'exportSiteStats', criteria))
    const [, row] = await tableOf(superadmin, 'exportSiteStats', criteria)
    expect(row?.[0]).toBe(/^[=+\-@]/.test(name) ? `'${name}` : name)
    expect(text).not.toMatch(/(^|[,\n])"?[=+@]/)

    const xml = readZip(await bytesOf(superadmin, 'exportSiteStats', criteria, 'xlsx'))
    const sheet = xml['xl/worksheets/sheet1.xml'] ?? ''
    expect(readSheet(sheet)[1]?.[0]).toBe(name)
    expect(sheet).not.toContain('<f>')
    // Editing the cell must not turn it into a formula, either.
    const guarded = /<c r="A2" s="(\d+)" t="inlineStr">/.exec(sheet)?.[1]
    const styles = [...(xml['xl/styles.xml'] ?? '').matchAll(/<xf [^>]*>/g)].slice(1)
    expect(styles[Number(guarded)]?.[0].includes('quotePrefix="1"')).toBe(/^[=+\-@]/.test(name))
  })
})

describe('the boards', () => {
  test('Top Agents', async () => {
    expect(
      String(
        await bytesOf(superadmin, 'exportTop10', {
          ...firstHalf,
          groupBy: 'agent',
          siteIds: [sites.beta, sites.alpha],
        }),
      ),
    ).toBe(
      lines(`
        No,Office,Agent,Agent Name,Sales
        1,Cebu,noel,,2
        2,Cebu,carlo,,2
        3,Manila,maria,,1
      `),
    )
  })

  test('an office reads no other office’s name', async () => {
    expect(await tableOf(manila, 'exportTop10', firstHalf)).toEqual([
      ['No', 'Office', 'Sales'],
      ['1', '', '4'],
      ['2', 'Manila', '2'],
    ])
  })

  test('Office Performance', async () => {
    const criteria = { period1: { start: '2026-03-16', end: '2026-03-31' }, period2: firstHalf }
    expect(await tableOf(superadmin, 'exportOfficePerformance', criteria)).toEqual([
      ['Office', 'Sales 2026-03-16 to 2026-03-31', 'Sales 2026-03-01 to 2026-03-15', 'Progress %'],
      ['Cebu', '-1', '4', '-125.00'],
      ['Manila', '0', '2', '-100.00'],
    ])
  })

  test('Office Performance Charts', async () => {
    const criteria = { start: '2026-03-07', end: '2026-03-09' }
    expect(await tableOf(superadmin, 'exportOfficeCharts', criteria)).toEqual([
      ['Office', 'Date', 'Sales', 'Progress %'],
      ['Cebu', '2026-03-07', '1', '100.00'],
      ['Cebu', '2026-03-08', '1', '0.00'],
      ['Cebu', '2026-03-09', '0', '-100.00'],
      ['Manila', '2026-03-07', '0', '0.00'],
      ['Manila', '2026-03-08', '1', '100.00'],
      ['Manila', '2026-03-09', '1', '0.00'],
    ])
  })
})

/** The lines of an indented text, as in a CSV file. */
const lines = (text: string): string =>
  `${CSV_MARK}${text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\r\n')}\r\n`

const setOption = async (name: string, value: string): Promise<void> => {
  await db.updateTable('options').set({ value }).where('name', '=', name).execute()
}
