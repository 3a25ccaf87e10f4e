import { randomUUID } from 'node:crypto'
import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import { dashboardEndpoints, type Dashboard } from '@tallyroom/contract/desk/dashboard'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { homeEndpoints, type Home, type HomeSums } from '@tallyroom/contract/desk/home'
import { officePerformanceEndpoints } from '@tallyroom/contract/figures/office-performance'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { topAgentsEndpoints } from '@tallyroom/contract/figures/top-agents'
import { addDays } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { roleNumber } from '@tallyroom/domain/roles'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { rebuildTotals } from '../src/totals/index.ts'
import { buildAccount, buildAgent } from './build-world.ts'
import { testDatabase } from './database.ts'
import { buildHandCountedWorld } from './hand-counted-world.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { tokenOf } from './token-of.ts'

/*
 * What is shown in two places is counted once: Home against the pages that it leads to, lists against their exports, for
 * every role. `home.property.test` has the tiles in random worlds.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
services.clock.set('2026-03-22T16:00:00Z')
const { offices, types } = await buildHandCountedWorld(db)
await sellThisWeek()
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()
await buildAgent(db, { office_id: offices.manila, username: 'new', approved_at: null })
await buildAccount(db, { username: 'boss', earning_visible: true })
await buildAccount(db, {
  username: 'ada',
  role: roleNumber('admin'),
  approve_agents: true,
  show_common_logs: true,
})
const { username: manila } = await db
  .selectFrom('accounts')
  .select('username')
  .where('office_id', '=', offices.manila)
  .executeTakeFirstOrThrow()
const app = await buildApp(services)
afterAll(() => app.close())

/** Carlo's sales are made anew this week and today, so that these have some. */
async function sellThisWeek() {
  const sales = await db
    .selectFrom('sale_events')
    .selectAll()
    .where('quantity', '=', 1)
    .where('event_type', '=', 0)
    .execute()
  for (const [place, at] of ['2026-03-18T15:00:00Z', '2026-03-22T14:00:00Z'].entries()) {
    await db
      .insertInto('sale_events')
      .values(
        sales.map((sale) => ({
          ...sale,
          id: randomUUID(),
          transaction_id: null,
          postback_id: null,
          occurred_at: new Date(Date.parse(at) + place),
          recorded_at: new Date(Date.parse(at) + place),
        })),
      )
      .execute()
  }
  await rebuildTotals(db)
}

const people = ['boss', 'ada', manila, 'noel'] as const
const tokens = new Map<string, string>()
for (const who of people) tokens.set(who, await tokenOf(services, who))

const ask = (who: string, endpoint: Endpoint, body?: Row) =>
  send(app, endpoint, { ...(body && { body }) }, { token: tokens.get(who) })

async function read<Answer>(who: string, endpoint: Endpoint, body?: Row): Promise<Answer> {
  const answer = await ask(who, endpoint, body)
  expect([answer.statusCode, endpoint.path]).toEqual([200, endpoint.path])
  return answer.json<Answer>()
}

describe.each(people)('for %s', (who) => {
  type Stats = { page: { items: Row[] }; overall: Row }
  const stats = (endpoint: Endpoint, range: { start: string; end: string }, more: Row) =>
    read<Stats>(who, endpoint, {
      start: range.start,
      end: range.end,
      pageSize: 500,
      ...more,
    })

  test('Home’s tiles are the totals of Sites Statistics, and its week that of Sites AVP', async () => {
    const home = await read<Home>(who, homeEndpoints.home)
    for (const [name, { sums, ...range }] of Object.entries(home.periods)) {
      const { overall } = await stats(statisticsEndpoints.siteStats, range, { groupBy: 'date' })
      for (const [key, figure] of Object.entries(sums) as [keyof HomeSums, number][]) {
        const column = { earning: 'earn', bonusEarning: 'bonusEarn' }[key as string] ?? key
        expect([name, key, figure]).toEqual([name, key, overall[column] ?? overall[key]])
      }
      expect(sums.sales).not.toBe(0)
    }
    const { avpWeek } = home
    if (!avpWeek) throw new Error('there is a schedule')
    const { overall, page } = await stats(statisticsEndpoints.avpStats, avpWeek, {
      groupBy: who === 'noel' ? 'detail' : 'agent',
    })
    const sold = page.items.filter(({ avpSales }) => Number(avpSales) > 0)
    expect(avpWeek.avpSales).toBe(overall['avpSales'])
    expect(avpWeek.agents).toBe(new Set(sold.map(({ agent }) => agent)).size)
  })

  test('Home’s latest sales are the first of the sale log', async () => {
    const { latestSales } = await read<Home>(who, homeEndpoints.home)
    const log = await read<{ items: { items: Row[] } }>(who, saleLogsEndpoints.searchSaleLogs, {
      start: '2025-10-01',
      end: '2026-03-22',
      pageSize: latestSales.length,
    })
    expect(latestSales.length).toBeGreaterThan(0)
    expect(latestSales.map(({ id }) => id)).toEqual(log.items.items.map(({ id }) => id))
  })

  test('Home’s boards are Top Agents and Office Performance', async () => {
    const shown = await read<Dashboard>(who, dashboardEndpoints.dashboard)
    for (const [period, board] of [
      ['week', shown.weekTop10],
      ['allTime', shown.allTimeTop10],
    ] as const)
      expect(await read(who, topAgentsEndpoints.top10Computed, { period })).toEqual(board)
    if (who === 'noel') return
    const { start, end } = shown.weekPeriod
    const top = await read<Row[]>(who, topAgentsEndpoints.top10, { start, end, groupBy: 'agent' })
    expect(top.map(({ sales }) => sales)).toEqual(shown.weekTop10.map(({ sales }) => sales))
    const { start: from, end: until } = shown.beWeekPeriod
    const period1 = { start: from, end: until }
    const period2 = periodOf(addDays(from, -1), 'beWeek')
    const compared = await read<Row[]>(who, officePerformanceEndpoints.officePerformance, {
      period1,
      period2: { start: period2.start, end: period2.end },
    })
    const ofBoard = shown.officeRanking.map(({ id, sales1, progress }) => [id, sales1, progress])
    expect(ofBoard.length).toBeGreaterThan(0)
    // An office compares only itself there.
    for (const row of ofBoard.filter(([id]) => who !== manila || id === offices.manila))
      expect(compared.map(({ id, sales1, progress }) => [id, sales1, progress])).toContainEqual(row)
  })

  test('what waits for approval is as many as its list and its badge say', async () => {
    const { network, agents } = await read<Home>(who, homeEndpoints.home)
    if (who !== 'boss' && who !== 'ada') {
      expect(network).toBeUndefined()
      if (who === manila) expect(agents?.unapproved?.count).toBe(1)
      return
    }
    const list = await read<Row[]>(who, approvalEndpoints.unapproved)
    const badge = await read<{ count: number }>(who, approvalEndpoints.unapprovedCount)
    expect([network?.needs.unapproved?.count, badge.count]).toEqual([list.length, list.length])
    expect(list).toHaveLength(1)
  })
})

type Row = Record<string, unknown>

const march = { start: '2026-03-02', end: '2026-03-22' }
const periods = {
  period1: { start: '2026-03-16', end: '2026-03-31' },
  period2: { start: '2026-03-01', end: '2026-03-15' },
}

const visits = { Raws: 'raws', Uniques: 'uniques' }
const byRates = {
  Sales: 'sales',
  'Bonus Sales': 'bonusSales',
  'Earn $': 'earn',
  'Bonus Earn $': 'bonusEarn',
  'Payout ₱': 'payout',
  'Bonus Payout ₱': 'bonusPayout',
}
const ofReport = (list: Endpoint, figures: Record<string, string>) => ({
  list,
  criteria: { ...march, pageSize: 500 },
  rowsOf: ({ page }: { page: { items: Row[] } }) => page.items,
  figures,
})

/** The list of each export, with criteria, its rows, and its columns of figures by their heading in the file. */
const lists: Partial<
  Record<
    EndpointName,
    {
      list: Endpoint
      criteria: Row
      rowsOf: (answer: never) => Row[]
      figures: Record<string, string>
    }
  >
> = {
  exportSiteStats: ofReport(statisticsEndpoints.siteStats, { ...visits, ...byRates }),
  exportAvpStats: ofReport(statisticsEndpoints.avpStats, { ...byRates, 'AVP Sales': 'avpSales' }),
  exportPayroll: ofReport(statisticsEndpoints.payroll, { ...visits, ...byRates }),
  exportPayrollAvp: ofReport(statisticsEndpoints.payrollAvp, {
    'AVP Sales': 'avpSales',
    'Payout ₱': 'payoutPhp',
    'Payout $': 'payoutDollars',
  }),
  exportTop10: {
    list: topAgentsEndpoints.top10,
    criteria: march,
    rowsOf: (rows: Row[]) => rows,
    figures: { Sales: 'sales' },
  },
  exportOfficePerformance: {
    list: officePerformanceEndpoints.officePerformance,
    criteria: periods,
    rowsOf: (rows: Row[]) => rows,
    figures: {
      'Sales 2026-03-16 to 2026-03-31': 'sales1',
      'Sales 2026-03-01 to 2026-03-15': 'sales2',
    },
  },
  exportOfficeCharts: {
    list: officePerformanceEndpoints.officeCharts,
    criteria: { ...march, groupBy: 'day' },
    rowsOf: (charts: { items: Row[] }[]) => charts.flatMap(({ items }) => items),
    figures: { Sales: 'value' },
  },
  exportWhatIf: {
    list: endpoints.whatIf,
    criteria: {
      ...march,
      rates: [
        { typeId: types.free, payout: 200 },
        { typeId: types.gift, payout: 500 },
      ],
      pageSize: 500,
    },
    rowsOf: ({ items }: { items: Row[] }) => items,
    figures: {
      Sales: 'sales',
      'Bonus Sales': 'bonusSales',
      'Paid ₱': 'paid',
      'Would be ₱': 'wouldBe',
      'Difference ₱': 'difference',
    },
  },
}

/** Exports of another form, and who compares them. */
const elsewhere: Partial<Record<EndpointName, string>> = {
  exportStatement: 'statement-files.test',
  exportTaxQuarter: 'withholding.test',
  exportAlphalist: 'withholding.test',
  exportJournal: 'journal-exports.test',
  taxCertificate: 'withholding.test',
  downloadCommonLogs: 'below',
}

const exported = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => endpoints[name].action === 'EXPORT',
)

test('every export is compared with its list', () => {
  expect([...Object.keys(lists), ...Object.keys(elsewhere)].toSorted()).toEqual(exported.toSorted())
})

describe.each(Object.entries(lists))('%s', (name, { list, criteria, rowsOf, figures }) => {
  test.each(people)('has the rows and the sums of its list, for %s', async (who) => {
    const answer = await ask(who, list, criteria)
    const file = await ask(who, endpoints[name as EndpointName], { format: 'csv', criteria })
    expect(file.statusCode).toBe(answer.statusCode)
    if (answer.statusCode !== 200) return
    const rows = rowsOf(answer.json())
    const [headings = [], ...records] = parse(file.body, { bom: true })
    expect(records).toHaveLength(rows.length)
    expect(rows.length).toBeGreaterThan(0)
    for (const [heading, key] of Object.entries(figures)) {
      const place = headings.indexOf(heading)
      if (place === -1) {
        // Whoever may not see a figure gets it nowhere.
        expect(rows.filter((row) => row[key] !== undefined)).toEqual([])
        continue
      }
      expect([heading, sumOf(records.map((one) => one[place]))]).toEqual([
        heading,
        sumOf(rows.map((row) => row[key])),
      ])
    }
  })
})

const sumOf = (values: unknown[]): number =>
  Math.round(values.reduce((sum: number, value) => sum + Number(value) * 100, 0)) / 100

test('the download of the common logs has as many lines as its search has rows', async () => {
  const criteria = { actionName: 'POST /api/stats/top10' }
  const { total } = await read<{ total: number }>(
    'boss',
    commonLogsEndpoints.searchCommonLogs,
    criteria,
  )
  const { body } = await ask('boss', commonLogsEndpoints.downloadCommonLogs, criteria)
  expect(total).toBeGreaterThan(0)
  expect(body.trimEnd().split('\n')).toHaveLength(total + 1)
})
