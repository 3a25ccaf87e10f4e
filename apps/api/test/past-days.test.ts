import { clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { officePerformanceEndpoints } from '@tallyroom/contract/figures/office-performance'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { topAgentsEndpoints } from '@tallyroom/contract/figures/top-agents'
import { whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import type { Day } from '@tallyroom/domain/new-york'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { addToTotals } from './add-to-totals.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { tokenOf } from './token-of.ts'
import { buildTwoOffices } from './two-office-world.ts'

const database = await testDatabase({ layout: 'together' })
const { db } = database
const services = testServices(database)
const app = await buildApp(services)
afterAll(() => app.close())

const { offices, agents, types } = await buildTwoOffices(db)
await buildAccount(db, { username: 'Root' })

/** The clock's day is a Sunday. */
const TODAY: Day = '2026-03-01'
const LAST_WEEK = { start: '2026-02-16', end: '2026-02-22' }

const rates = [{ typeId: types[0].type_id, payout: 5 }]

const reports: [string, Endpoint, (days: { start: Day; end: Day }) => Record<string, unknown>][] = [
  ['Sites Statistics', statisticsEndpoints.siteStats, (days) => days],
  ['Payroll AVP', statisticsEndpoints.payrollAvp, (days) => days],
  ['Top Agents', topAgentsEndpoints.top10, (days) => days],
  [
    'Office Performance',
    officePerformanceEndpoints.officePerformance,
    (days) => ({ period1: days, period2: LAST_WEEK }),
  ],
  ['Office Performance Charts', officePerformanceEndpoints.officeCharts, (days) => days],
  ['What if', whatIfEndpoints.whatIf, (days) => ({ ...days, rates })],
  ['the click log', clickLogsEndpoints.searchClickLogs, (days) => days],
]

test.each(reports)(
  '%s of past days does not fold what is pending for today',
  async (_, report, of) => {
    const { avp: __, ...type } = types[0]
    await addToTotals(db, [
      { day: TODAY, agent_id: agents[0], office_id: offices[0], ...type, raws: 1 },
    ])
    const token = await tokenOf(services, 'Root')
    const countPendingAfter = async (days: { start: Day; end: Day }) => {
      const answer = await send(app, report, { body: of(days) }, { token })
      expect(answer.statusCode).toBe(200)
      return (await db.selectFrom('totals_pending').selectAll().execute()).length
    }
    expect(await countPendingAfter(LAST_WEEK)).toBe(1)
    expect(await countPendingAfter({ start: LAST_WEEK.start, end: TODAY })).toBe(0)
  },
)

const tiers = [{ from: 0, to: 1_000, payoutPhp: 5 }]
const site = { siteIds: [types[0].site_id] }

const widerReports: [string, Endpoint, Record<string, unknown>, Day][] = [
  [
    'tiers of that week',
    whatIfEndpoints.whatIf,
    { start: '2026-02-23', end: '2026-02-25', tiers },
    TODAY,
  ],
  ['a site that today may make known', topAgentsEndpoints.top10, { ...LAST_WEEK, ...site }, TODAY],
  [
    'a second period',
    officePerformanceEndpoints.officePerformance,
    { period1: LAST_WEEK, period2: { start: TODAY, end: TODAY } },
    TODAY,
  ],
  [
    'the rest of a month',
    officePerformanceEndpoints.officeCharts,
    { ...LAST_WEEK, groupBy: 'month' },
    '2026-02-27',
  ],
]

test.each(widerReports)(
  '%s is folded, although the range ends before',
  async (_, report, body, day) => {
    await db.deleteFrom('totals_pending').execute()
    const { avp: __, ...type } = types[0]
    await addToTotals(db, [{ day, agent_id: agents[0], office_id: offices[0], ...type, raws: 1 }])
    const token = await tokenOf(services, 'Root')
    const answer = await send(app, report, { body }, { token })
    expect(answer.statusCode).toBe(200)
    expect(await db.selectFrom('totals_pending').selectAll().execute()).toEqual([])
  },
)
