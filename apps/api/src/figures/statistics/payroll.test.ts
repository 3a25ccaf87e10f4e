import {
  avpCriteriaSchema,
  payrollAvpCriteriaSchema,
  payrollCriteriaSchema,
  type SiteStats,
  siteStatsSchema,
  statsCriteriaSchema,
} from '@tallyroom/contract/figures/statistics'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StatsTableName } from '@tallyroom/contract/figures/stats-table'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { execute } from '../../../test/test-server.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { verifyTotals } from '../../totals/index.ts'
import { statsReport } from './report.ts'

const { db, connection } = await testDatabase()
const world = await buildHandCountedWorld(db)
const { offices, agents, sites, types } = world
const databases = databasesAt(db, '2026-03-25T12:00:00Z')

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
const noel = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })

const firstHalf = { start: '2026-03-01', end: '2026-03-15' }
const secondHalf = { start: '2026-03-16', end: '2026-03-31' }
const threeWeeks = { start: '2026-03-02', end: '2026-03-22' }
const autumn = { start: '2025-10-27', end: '2025-11-09' }

beforeAll(async () => {
  await db.updateTable('options').set({ value: '1' }).where('name', '=', 'lpp_visible').execute()
})

test('the totals of the world match its events', async () => {
  expect(await verifyTotals(db)).toEqual([])
})

describe('Sites Statistics', () => {
  test('by date, in the first half of March', async () => {
    expectTable(
      await ask('sites', { groupBy: 'date', ...firstHalf }),
      `
      date       | raws | uniques | sales | bonusSales | earn   | bonusEarn | payout  | bonusPayout | lpp
      2026-03-15 |    0 |       0 |     1 |          0 |  14.00 |      0.00 |  300.75 |        0.00 |   2
      2026-03-10 |    0 |       0 |    -1 |          0 |  -5.01 |      0.00 | -100.10 |        0.00 |  -1
      2026-03-09 |    0 |       0 |     1 |          0 |  30.00 |      0.00 |  700.00 |        0.00 |   3
      2026-03-08 |    2 |       2 |     2 |          0 |  25.01 |      0.00 |  500.10 |        0.00 |   2
      2026-03-07 |    0 |       0 |     1 |          0 |   5.01 |      0.00 |  100.10 |        0.00 |   1
      2026-03-05 |    0 |       0 |     1 |          0 |  30.00 |      0.00 |  700.00 |        0.00 |   3
      2026-03-04 |    1 |       1 |     0 |          1 |   0.00 |      5.05 |    0.00 |       70.07 |   1
      2026-03-02 |    0 |       0 |     1 |          0 |   5.01 |      0.00 |  100.10 |        0.00 |   1
      =          |    3 |       3 |     6 |          1 | 104.02 |      5.05 | 2300.95 |       70.07 |  12
      `,
    )
  })

  test('by date, around the day of 25 hours', async () => {
    expectTable(
      await ask('sites', { groupBy: 'date', ...autumn }),
      `
      date       | raws | uniques | sales | earn  | payout | lpp
      2025-11-03 |    0 |       0 |     1 | 20.00 | 400.00 |   1
      2025-11-02 |    2 |       1 |     3 | 31.26 | 651.35 |   5
      2025-11-01 |    0 |       0 |     1 |  5.01 | 100.10 |   1
      =          |    2 |       1 |     5 | 56.27 | 1151.45 |  7
      `,
    )
  })

  test('by office, in the second half, with the points of the sixteen days before', async () => {
    expectTable(
      await ask('sites', { groupBy: 'office', ...secondHalf }),
      `
      officeName | raws | uniques | sales | earn   | payout  | lpp | lppPrev
      Cebu       |    0 |       0 |    -1 | -14.00 | -300.75 |  -2 |       7
      Manila     |    1 |       1 |     0 |   0.00 |    0.00 |   0 |       5
      =          |    1 |       1 |    -1 | -14.00 | -300.75 |  -2 |      12
      `,
    )
  })
})

test('a range may be as long as the calendar of reports', async () => {
  const longest = { start: '1900-01-01', end: '2199-12-29' } // Monday to Sunday
  for (const name of ['sites', 'payroll', 'payrollAvp'] as const) {
    const { overall } = await ask(name, { groupBy: 'agent', ...longest })
    expect(overall).toMatchObject({ sales: 10, raws: 6 })
  }
})

describe('Payroll', () => {
  test('by agent, on one site: each link type next to its payout', async () => {
    const answer = await ask('payroll', { groupBy: 'agent', siteId: sites.alpha, ...firstHalf })

    expect(answer.types.map(({ typename }) => typename)).toEqual(['Free', 'Paid'])
    expectTable(
      answer,
      `
      agent | officeName | sales | ${types.free} | ${types.free}_payout | ${types.paid} | ${types.paid}_payout | payout  | bonusSales | bonusPayout
      carlo | Cebu       |     1 |             1 |               100.10 |             0 |                 0.00 |  100.10 |          0 |        0.00
      maria | Manila     |     1 |             0 |                 0.00 |             1 |               700.00 |  700.00 |          0 |        0.00
      noel  | Manila     |     1 |             1 |               100.10 |             0 |                 0.00 |  100.10 |          1 |       70.07
      noel  | Cebu       |     1 |             0 |                 0.00 |             1 |               700.00 |  700.00 |          0 |        0.00
      =     |            |     4 |             2 |               200.20 |             2 |              1400.00 | 1600.20 |          1 |       70.07
      `,
    )
  })

  test.each([
    ['payout', ['100.10', '100.10', '700.00', '700.00']],
    [`${types.free}_payout`, ['0.00', '0.00', '100.10', '100.10']],
  ] as const)('sorted by %s', async (sortField, expected) => {
    const { page } = await ask('payroll', {
      groupBy: 'agent',
      siteId: sites.alpha,
      ...firstHalf,
      sortField,
    })
    expect(page.items.map((row) => (row[sortField] ?? 0).toFixed(2))).toEqual(expected)
  })

  test('by office, over both halves: a void deducts what had been paid', async () => {
    expectTable(
      await ask('payroll', { groupBy: 'office', start: '2026-03-01', end: '2026-03-31' }),
      `
      officeName | sales | bonusSales | payout  | bonusPayout
      Cebu       |     3 |          0 | 1200.10 |        0.00
      Manila     |     2 |          1 |  800.10 |       70.07
      =          |     5 |          1 | 2000.20 |       70.07
      `,
    )
  })

  test('an admin without the flag sees no earning', async () => {
    const answer = await ask('payroll', { ...firstHalf }, admin)

    expect(answer.earningVisible).toBe(false)
    expect([answer.overall, ...answer.page.items].flatMap(Object.keys)).not.toContain('earn')
    expect(answer.overall).not.toHaveProperty('earning')
  })
})

describe('Sites AVP Statistics', () => {
  test('by agent, in one week: the agent who changed offices has the whole week’s tier in both', async () => {
    expectTable(
      await ask('avp', { groupBy: 'agent', start: '2026-03-02', end: '2026-03-08' }),
      `
      agent | officeName | raws | sales | bonusSales | avpSales | agent_avp_sales_count | avpPeriod
      carlo | Cebu       |    2 |     2 |          0 |        1 |                     1 | 1: 1-1
      maria | Manila     |    0 |     1 |          0 |        0 |                     0 | 0: 0-0
      noel  | Manila     |    1 |     1 |          1 |        1 |                     2 | 2: 2-1000
      noel  | Cebu       |    0 |     1 |          0 |        1 |                     2 | 2: 2-1000
      =     |            |    3 |     5 |          1 |        3 |                       |
      `,
    )
  })

  test('in detail: each day has the tier of its week', async () => {
    expectTable(
      await ask('avp', { groupBy: 'detail', start: '2026-03-09', end: '2026-03-22' }),
      `
      date       | agent | sales | avpSales | agent_avp_sales_count | avpPeriod
      2026-03-17 | maria |     0 |        0 |                     0 | 0: 0-0
      2026-03-16 | carlo |    -1 |        0 |                     0 | 0: 0-0
      2026-03-15 | carlo |     1 |        0 |                     0 | 0: 0-0
      2026-03-10 | maria |    -1 |        0 |                     1 | 1: 1-1
      2026-03-09 | maria |     1 |        1 |                     1 | 1: 1-1
      =          |       |     0 |        1 |                       |
      `,
    )
  })

  test('over several weeks: a tier that all of them share, or none', async () => {
    expectTable(
      await ask('avp', { groupBy: 'agent', ...autumn }),
      `
      agent | sales | avpSales | agent_avp_sales_count | avpPeriod
      carlo |     1 |        1 |                     1 | 1: 1-2
      maria |     4 |        3 |                     3 | null
      =     |     5 |        4 |                       |
      `,
    )
  })

  test('points are compared with the weeks before that reached the tier of their own schedule', async () => {
    const eighteenWeeks = { start: '2026-03-02', end: '2026-07-05' }
    expectTable(
      await ask('avp', { groupBy: 'agent', avp: 2, ...eighteenWeeks }),
      `
      agent | officeName | sales | lpp | lppPrev
      noel  | Manila     |     1 |   2 |       0
      noel  | Cebu       |     1 |   3 |       0
      =     |            |     2 |   5 |       0
      `,
    )
  })

  test('a tier leaves out weeks in other tiers, under any schedule', async () => {
    expectTable(
      await ask('avp', { groupBy: 'agent', avp: 2, start: '2025-10-27', end: '2026-03-22' }),
      `
      agent | officeName | raws | sales | avpSales | agent_avp_sales_count | avpPeriod
      maria | Manila     |    2 |     3 |        3 |                     3 | 2: 3-1000
      noel  | Manila     |    1 |     1 |        1 |                     2 | 2: 2-1000
      noel  | Cebu       |    0 |     1 |        1 |                     2 | 2: 2-1000
      =     |            |    3 |     5 |        5 |                       |
      `,
    )
  })

  test('tier 0 has the agents with activity but without sales', async () => {
    expectTable(
      await ask('avp', { groupBy: 'detail', avp: 0, ...threeWeeks }),
      `
      date       | agent | raws | sales | lpp
      2026-03-17 | maria |    1 |     0 |   0
      2026-03-16 | carlo |    0 |    -1 |  -2
      2026-03-15 | carlo |    0 |     1 |   2
      2026-03-08 | maria |    0 |     1 |   1
      =          |       |    1 |     1 |   1
      `,
    )
  })

  test('for one site: its figures, with the tier of all sites', async () => {
    expectTable(
      await ask('avp', {
        groupBy: 'agent',
        siteId: sites.beta,
        start: '2025-10-27',
        end: '2025-11-02',
      }),
      `
      agent | sales | ${types.join} | agent_avp_sales_count | avpPeriod
      carlo |     1 |             1 |                     1 | 1: 1-2
      maria |     1 |             1 |                     3 | 2: 3-1000
      =     |     2 |             2 |                       |
      `,
    )
  })

  /** The app replaces schedules and never changes them. */
  const beginTiers = (from: string, before: string) =>
    execute(
      connection,
      `update avp_tiers set valid_from = '${from}' where valid_from = '${before}'`,
    )

  test('before the first schedule there are no tiers', async () => {
    const october = { start: '2025-10-20', end: '2025-11-02' }
    await beginTiers('2025-11-03', '2025-10-27')
    const { page } = await ask('avp', { groupBy: 'agent', ...october })
    const tier0 = await ask('avp', { groupBy: 'agent', avp: 0, ...october })
    const pay = await ask('payrollAvp', { groupBy: 'office', ...october })
    await beginTiers('2025-10-27', '2025-11-03')

    expect(
      page.items.map(({ agent, avpPeriod, agent_avp_sales_count: count }) => [
        agent,
        avpPeriod,
        count,
      ]),
    ).toEqual([
      ['carlo', null, 1],
      ['maria', null, 3],
    ])
    expect(tier0.page.total).toBe(0)
    expect([pay.overall.avpSales, pay.overall.payoutPhp]).toEqual([4, 0])
  })

  test('an office sees its own rows, an agent their days; neither chooses tiers or other views', async () => {
    const week = { start: '2026-03-02', end: '2026-03-08' }
    expect(
      (await ask('avp', { groupBy: 'agent', ...week }, manila)).page.items.map(
        ({ agent }) => agent,
      ),
    ).toEqual(['maria', 'noel'])
    expect((await ask('avp', { groupBy: 'agent', ...week }, cebu)).overall).toMatchObject({
      sales: 3,
      avpSales: 2,
    })
    expect((await ask('avp', week, noel)).page.items.map(({ date }) => date)).toEqual([
      '2026-03-05',
      '2026-03-04',
      '2026-03-02',
    ])
    await expect(ask('avp', { groupBy: 'agent', ...week }, noel)).rejects.toMatchObject({
      data: { groupBy: [expect.anything()] },
    })
    await expect(ask('avp', { groupBy: 'date', ...week }, superadmin)).rejects.toMatchObject({
      data: { groupBy: [expect.anything()] },
    })
    await expect(ask('avp', { avp: 1, ...week }, manila)).rejects.toMatchObject({
      data: { avp: [expect.anything()] },
    })
    await expect(ask('avp', { sortField: 'payoutPhp', ...week })).rejects.toThrow()
  })
})

describe('Payroll AVP', () => {
  test('by office: the sum of its agents, week by week', async () => {
    expectTable(
      await ask('payrollAvp', { ...threeWeeks }),
      `
      officeName | sales | avpSales | payoutPhp | payoutDollars | payout
      Cebu       |     3 |        2 |     36.25 |          0.80 | 1200.10
      Manila     |     2 |        2 |     36.25 |          0.80 |  800.10
      =          |     5 |        4 |     72.50 |          1.60 | 2000.20
      `,
    )
  })

  test('by agent', async () => {
    expectTable(
      await ask('payrollAvp', { groupBy: 'agent', ...threeWeeks }),
      `
      agent | officeName | avpSales | agent_avp_sales_count | avpPeriod | payoutPhp | payoutDollars
      carlo | Cebu       |        1 |                     1 | null      |     11.00 |          0.25
      maria | Manila     |        1 |                     1 | null      |     11.00 |          0.25
      noel  | Manila     |        1 |                     2 | 2: 2-1000 |     25.25 |          0.55
      noel  | Cebu       |        1 |                     2 | 2: 2-1000 |     25.25 |          0.55
      =     |            |        4 |                       |           |     72.50 |          1.60
      `,
    )
  })

  test('by date: the rate of each sale is that of its whole week', async () => {
    expectTable(
      await ask('payrollAvp', { groupBy: 'date', ...threeWeeks }),
      `
      date       | sales | avpSales | payoutPhp | payoutDollars
      2026-03-17 |     0 |        0 |      0.00 |          0.00
      2026-03-16 |    -1 |        0 |      0.00 |          0.00
      2026-03-15 |     1 |        0 |      0.00 |          0.00
      2026-03-10 |    -1 |        0 |      0.00 |          0.00
      2026-03-09 |     1 |        1 |     11.00 |          0.25
      2026-03-08 |     2 |        0 |      0.00 |          0.00
      2026-03-07 |     1 |        1 |     11.00 |          0.25
      2026-03-05 |     1 |        1 |     25.25 |          0.55
      2026-03-04 |     0 |        0 |      0.00 |          0.00
      2026-03-02 |     1 |        1 |     25.25 |          0.55
      =          |     5 |        4 |     72.50 |          1.60
      `,
    )
  })

  test('in detail, over the day of 25 hours', async () => {
    expectTable(
      await ask('payrollAvp', { groupBy: 'detail', ...autumn }),
      `
      date       | agent | sales | avpSales | avpPeriod | payoutPhp | payoutDollars
      2025-11-03 | maria |     1 |        0 | 0: 0-0    |      0.00 |          0.00
      2025-11-02 | maria |     2 |        2 | 2: 3-1000 |     40.20 |          0.80
      2025-11-02 | carlo |     1 |        1 | 1: 1-2    |     10.05 |          0.21
      2025-11-01 | maria |     1 |        1 | 2: 3-1000 |     20.10 |          0.40
      =          |       |     5 |        4 |           |     70.35 |          1.41
      `,
    )
  })

  test('for one site: what each link type pays by the tiers', async () => {
    expectTable(
      await ask('payrollAvp', { groupBy: 'agent', siteId: sites.alpha, ...threeWeeks }),
      `
      agent | officeName | avpSales | ${types.free} | ${types.free}_payout | ${types.paid} | ${types.paid}_payout | payoutPhp
      carlo | Cebu       |        1 |             1 |                11.00 |             0 |                 0.00 |     11.00
      maria | Manila     |        1 |             0 |                 0.00 |             1 |                11.00 |     11.00
      noel  | Manila     |        1 |             1 |                25.25 |             0 |                 0.00 |     25.25
      noel  | Cebu       |        1 |             0 |                 0.00 |             1 |                25.25 |     25.25
      =     |            |        4 |             2 |                36.25 |             2 |                36.25 |     72.50
      `,
    )
  })

  test('a site without the AVP flag pays nothing', async () => {
    const { overall } = await ask('payrollAvp', { siteId: sites.gamma, ...threeWeeks })
    expect(overall).toMatchObject({
      sales: 1,
      avpSales: 0,
      payoutPhp: 0,
      payoutDollars: 0,
      [`${types.gift}_payout`]: 0,
    })
  })

  test('for one tier', async () => {
    expectTable(
      await ask('payrollAvp', { groupBy: 'agent', avp: 1, ...threeWeeks }),
      `
      agent | sales | avpSales | agent_avp_sales_count | avpPeriod | payoutPhp
      carlo |     2 |        1 |                     1 | 1: 1-1    |     11.00
      maria |     0 |        1 |                     1 | 1: 1-1    |     11.00
      =     |     2 |        2 |                       |           |     22.00
      `,
    )
  })

  test.each([
    ['payoutPhp', ['11.00', '11.00', '25.25', '25.25']],
    ['payoutDollars', ['0.25', '0.25', '0.55', '0.55']],
    ['agent_avp_sales_count', ['1.00', '1.00', '2.00', '2.00']],
    ['avpSales', ['1.00', '1.00', '1.00', '1.00']],
  ] as const)('by agent, sorted by %s', async (sortField, expected) => {
    for (const sortAsc of [true, false]) {
      const { page } = await ask('payrollAvp', {
        groupBy: 'agent',
        sortField,
        sortAsc,
        ...threeWeeks,
      })
      expect(page.items.map((row) => (row[sortField] ?? 0).toFixed(2))).toEqual(
        sortAsc ? expected : expected.toReversed(),
      )
    }
  })

  test.each([
    ['payoutPhp', 'date'],
    ['payoutPhp', 'company'],
    ['payoutDollars', 'detail'],
    ['agent_avp_sales_count', 'detail'],
  ] as const)('sorted by %s in the view by %s', async (sortField, groupBy) => {
    const { page } = await ask('payrollAvp', { groupBy, sortField, ...autumn })
    const values = page.items.map((row) => row[sortField] ?? 0)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(new Set(values).size).toBeGreaterThan(1)
  })

  test('sorted by tier, then paged: the rows of the whole result', async () => {
    const criteria = {
      groupBy: 'detail',
      sortField: 'avpPeriod',
      sortAsc: false,
      ...threeWeeks,
    } as const
    const { page: whole } = await ask('payrollAvp', criteria)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => ask('payrollAvp', { ...criteria, page, pageSize: 3 })),
    )

    expect(pages.flatMap(({ page }) => page.items)).toEqual(whole.items)
    expect(whole.items.map(({ avpPeriod }) => avpPeriod?.index)).toEqual([
      2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0,
    ])
  })
})

test.each<[string, Record<string, unknown>]>([
  ['start', { start: '2026-03-03', end: '2026-03-08' }],
  ['end', { start: '2026-03-02', end: '2026-03-09' }],
  ['start', { start: '2026-03-09', end: '2026-03-08' }],
  ['start', { start: 'yesterday', end: '2026-03-08' }],
  ['avp', { start: '2026-03-02', end: '2026-03-08', avp: -1 }],
  ['start', { start: '0001-01-01', end: '2026-03-08' }],
  ['end', { start: '2026-03-02', end: '9999-12-26' }],
])('AVP reports need whole weeks: %s is refused of %o', (field, criteria) => {
  for (const schema of [avpCriteriaSchema, payrollAvpCriteriaSchema]) {
    const { error } = schema.safeParse(criteria)
    expect(error?.issues.map(({ path }) => path[0])).toContain(field)
  }
})

const criteriaSchemas = {
  sites: statsCriteriaSchema,
  avp: avpCriteriaSchema,
  payroll: payrollCriteriaSchema,
  payrollAvp: payrollAvpCriteriaSchema,
}

/** Requests a report as over HTTP: with the schemas of request and response. */
async function ask(
  name: StatsTableName,
  criteria: Record<string, unknown>,
  who: Viewer = superadmin,
): Promise<SiteStats> {
  const parsed = criteriaSchemas[name].parse(criteria)
  return siteStatsSchema.parse(await statsReport(databases, who, name, parsed))
}

/**
 * Compares an answer with a table as drawn on paper: the page's rows, then the overall sums after
 * `=`.
 */
function expectTable(answer: SiteStats, drawn: string): void {
  const [columns = [], ...expected] = drawn
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const { page, overall } = answer
  const sums = {
    ...overall,
    earn: overall.earning,
    bonusEarn: overall.bonusEarning,
    lppPrev: overall.lpp_prev,
    [columns[0] ?? '']: '=',
  }
  const lineOf = (row: Record<string, unknown>) =>
    columns.map((column) => cellOf(column, row[column]))
  expect([...page.items, sums].map(lineOf)).toEqual(expected)
  expect(page.total).toBe(page.items.length)
}

const amountColumns = /earn$|payout$|Earn$|Payout$|payoutPhp|payoutDollars/

function cellOf(column: string, value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return ''
  if (typeof value === 'number')
    return amountColumns.test(column) ? value.toFixed(2) : String(value)
  if (typeof value === 'object' && 'index' in value && 'from' in value && 'to' in value) {
    return `${String(value.index)}: ${String(value.from)}-${String(value.to)}`
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
