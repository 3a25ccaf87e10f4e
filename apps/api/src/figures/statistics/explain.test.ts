import {
  isAmountColumn,
  statsTableNames,
  statsTables,
  subOfView,
} from '@tallyroom/contract/figures/stats-table'
import {
  type Explanation,
  explainRequestSchema,
  explanationSchema,
} from '@tallyroom/contract/figures/explain'
import { overallTotals } from '@tallyroom/contract/figures/stats-figures'
import {
  avpCriteriaSchema,
  payrollAvpCriteriaSchema,
  payrollCriteriaSchema,
  type SiteStats,
  statsCriteriaSchema,
} from '@tallyroom/contract/figures/statistics'
import { describe, expect, test } from 'vitest'
import { buildSite } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import { seeded } from '../../../test/hostile/random.ts'
import { explain } from './explain.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const { offices, agents, sites, types, eventIds, postbackIds } = await buildHandCountedWorld(db)
const databases = databasesAt(db, '2026-03-25T12:00:00Z')

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

const march = { start: '2026-03-01', end: '2026-03-31' }
const threeWeeks = { start: '2026-03-02', end: '2026-03-22' }

test("an office's payout: the sales by link type and rate, with whose rate it was", async () => {
  const cebu = {
    report: 'payroll',
    ...march,
    companyId: offices.cebu,
    column: 'payout',
  }
  const { figure, sum, unit, groups, otherGroups, parts } = await ask(cebu)

  expect({ figure, sum, unit, otherGroups }).toEqual({
    figure: 1200.1,
    sum: 1200.1,
    unit: 'php',
    otherGroups: { count: 0, sum: 0 },
  })
  expect(
    groups.map((group) => [
      group.sitename,
      group.typename,
      group.rateSource,
      group.rate,
      group.sales,
      group.reversals,
      group.sum,
    ]),
  ).toEqual([
    ['Alpha', 'Paid', 'default', 700, 1, 0, 700],
    ['Gamma', 'Gift', 'default', 400, 1, 0, 400],
    ['Alpha', 'Free', 'default', 100.1, 1, 0, 100.1],
    ['Beta', 'Join', 'office', 300.75, 1, 1, 0],
  ])
  expect(linesOf(parts.items)).toEqual([
    ['e15', 'carlo', 'Join', 'office', -300.75],
    ['e14', 'carlo', 'Join', 'office', 300.75],
    ['e10', 'carlo', 'Gift', 'default', 400],
    ['e09', 'carlo', 'Free', 'default', 100.1],
    ['e08', 'noel', 'Paid', 'default', 700],
  ])
  expect([parts.total, parts.pageSum]).toEqual([5, 1200.1])
})

test('a part says whether its site counts approvals', async () => {
  const cebu = {
    report: 'payroll',
    ...march,
    companyId: offices.cebu,
    column: 'payout',
  }
  await db
    .updateTable('sites')
    .set({ use_approve_sale: true })
    .where('id', '=', sites.beta)
    .execute()
  const { parts } = await ask(cebu)
  await db
    .updateTable('sites')
    .set({ use_approve_sale: false })
    .where('id', '=', sites.beta)
    .execute()

  expect(new Map(parts.items.map((part) => [part.sitename, part.useApproveSale]))).toEqual(
    new Map([
      ['Alpha', false],
      ['Beta', true],
      ['Gamma', false],
    ]),
  )
})

test('a reversal says what it reverses, and each part which postback reported it', async () => {
  const { parts } = await ask({
    report: 'payroll',
    ...march,
    companyId: offices.cebu,
    column: 'payout',
    pageSize: 1,
  })

  expect(parts.items).toEqual([
    {
      eventId: eventIds['e15'],
      occurredAt: '2026-03-16T04:00:00.000Z',
      eventType: 0,
      reversal: 'void',
      reverses: eventIds['e14'],
      reversesOccurredAt: '2026-03-16T03:59:59.999Z',
      companyId: offices.cebu,
      officeName: 'Cebu',
      agentId: agents.carlo,
      agent: 'carlo',
      siteId: sites.beta,
      sitename: 'Beta',
      useApproveSale: false,
      typeId: types.join,
      typename: 'Join',
      clickId: 'click of e15',
      transactionId: 'e15',
      postbackId: postbackIds['e15'],
      rateSource: 'office',
      rate: 300.75,
      amount: -300.75,
    },
  ])
  expect([parts.total, parts.pageSum]).toEqual([5, -300.75])
})

test('by tiers: the week, its tier and why, and since when the schedule applies', async () => {
  const cebu = {
    report: 'payrollAvp',
    ...threeWeeks,
    companyId: offices.cebu,
    column: 'payoutPhp',
  }
  const { figure, sum, groups, parts } = await ask(cebu)

  expect([figure, sum]).toEqual([36.25, 36.25])
  expect(
    groups.map(({ reason, rate, sales, reversals, sum: amount }) => [
      reason?.week,
      reason?.tier?.index,
      reason?.scheduleValidFrom,
      rate,
      sales,
      reversals,
      amount,
    ]),
  ).toEqual([
    ['2026-03-09', 0, '2026-03-02', 1.01, 1, 1, 0],
    ['2026-03-02', 1, '2026-03-02', 11, 1, 0, 11],
    ['2026-03-02', 2, '2026-03-02', 25.25, 1, 0, 25.25],
  ])
  expect(linesOf(parts.items)).toEqual([
    ['e15', 'carlo', 'Join', 'tier', -1.01],
    ['e14', 'carlo', 'Join', 'tier', 1.01],
    ['e09', 'carlo', 'Free', 'tier', 11],
    ['e08', 'noel', 'Paid', 'tier', 25.25],
  ])
  expect(parts.items.map(({ reason }) => reason?.agentAvpSales)).toEqual([0, 0, 1, 2])
})

test('for the agent who changed offices, a day at the old office is paid by the sales at both', async () => {
  const { figure, parts } = await ask({
    report: 'payrollAvp',
    start: '2026-03-02',
    end: '2026-03-02',
    agentId: agents.noel,
    companyId: offices.manila,
    column: 'payoutDollars',
  })

  expect(figure).toBe(0.55)
  expect(parts.items.map(({ reason }) => reason)).toEqual([
    {
      week: '2026-03-02',
      tier: { index: 2, from: 2, to: 1000 },
      scheduleValidFrom: '2026-03-02',
      agentAvpSales: 2,
    },
  ])
})

/** `EXPLAIN_SEED` repeats a run. The long form asks for every amount. */
const seed = Number(process.env['EXPLAIN_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = seeded(seed)
const EVERY = 6

/**
 * All overall amounts, which include all others, and a different sample of the others in each run.
 */
const sampled = <T extends { row: object | undefined }>(figures: readonly T[]): T[] =>
  process.env['TESTS'] === 'long'
    ? [...figures]
    : figures.filter(({ row }) => row === undefined || random.chance(1 / EVERY))

describe('every figure of every view is the sum of its parts, to the centavo', () => {
  test.each(
    statsTableNames.flatMap((report) =>
      statsTables[report].views.flatMap((groupBy) =>
        statsTables[report].isWeekly
          ? [
              { report, groupBy, criteria: threeWeeks },
              { report, groupBy, criteria: { ...threeWeeks, avp: 1 } },
              { report, groupBy, criteria: { ...threeWeeks, siteId: sites.alpha, avp: 2 } },
            ]
          : [
              { report, groupBy, criteria: march },
              { report, groupBy, criteria: { ...march, siteId: sites.alpha } },
            ],
      ),
    ),
  )('$report by $groupBy of $criteria', async ({ report, groupBy, criteria }) => {
    const stats = await statsReport(
      databases,
      superadmin,
      report,
      schemas[report].parse({ ...criteria, groupBy }),
    )
    expect(stats.page.items.length).toBeGreaterThan(0)
    const sub = subOfView(groupBy)
    // Of events whose click is not stored, nobody knows the sub id, so these rows don't open.
    const opened = stats.page.items.filter(({ subRow }) => subRow !== 'unknown')
    const figures = amountsOf(stats).flatMap((column) =>
      [...opened, undefined].map((row) => ({ column, row })),
    )
    for (const { column, row } of sampled(figures)) {
      const totals = row ?? overallTotals(stats.overall)
      const shown = totals[column as 'earn'] // looked up by name
      const { date, companyId, agentId, typeId, subId } = row ?? {}
      const asked = {
        report,
        column,
        ...criteria,
        ...(date && { start: date, end: date }),
        ...(companyId && { companyId }),
        ...(agentId && { agentId }),
        ...(typeId && { typeId }),
        ...(row && sub && { sub, subId }),
        pageSize: 2,
      }
      const { figure, sum, groups, parts } = await ask(asked)
      expect([figure, sum], `EXPLAIN_SEED=${seed} ${column}`).toEqual([shown, shown])
      expect(sumOf(groups.map((group) => group.sum))).toBe(centavos(figure))
      const inGroups = groups.map(({ sales, reversals }) => sales + reversals)
      expect(inGroups.reduce((all, one) => all + one, 0)).toBe(parts.total)
      let explained = 0
      for (let number = 1; (number - 1) * 2 < parts.total; number++) {
        const { parts: part } = await ask({ ...asked, page: number })
        expect(sumOf(part.items.map(({ amount }) => amount))).toBe(centavos(part.pageSum))
        explained += centavos(part.pageSum)
      }
      expect(explained).toBe(centavos(figure))
    }
  })

  const schemas = {
    sites: statsCriteriaSchema,
    avp: avpCriteriaSchema,
    payroll: payrollCriteriaSchema,
    payrollAvp: payrollAvpCriteriaSchema,
  }
})

describe('a count', () => {
  test('has a part for each sale, less those that were reversed', async () => {
    const { unit, figure, sum, groups, parts } = await ask({
      report: 'sites',
      ...march,
      companyId: offices.cebu,
      column: 'sales',
    })

    expect([unit, figure, sum, parts.total]).toEqual(['count', 3, 3, 5])
    expect(groups).toEqual([
      group('alpha', 'Alpha', 'free', 'Free', 1, 0),
      group('alpha', 'Alpha', 'paid', 'Paid', 1, 0),
      group('gamma', 'Gamma', 'gift', 'Gift', 1, 0),
      group('beta', 'Beta', 'join', 'Join', 1, 1),
    ])
    expect(parts.items.map((part) => [nameOf(part.eventId), part.amount])).toEqual([
      ['e15', -1],
      ['e14', 1],
      ['e10', 1],
      ['e09', 1],
      ['e08', 1],
    ])
    for (const part of parts.items) expect(part).not.toHaveProperty('rate')
  })

  test('of bonuses, of AVP sales or of a link type has only these', async () => {
    const count = (column: string) => ask({ report: 'avp', ...threeWeeks, column })
    expect((await count('bonusSales')).parts.items.map(({ eventId }) => nameOf(eventId))).toEqual([
      'e07',
    ])
    const avp = (await count('avpSales')).parts.items.map(({ eventId }) => nameOf(eventId))
    expect(avp).not.toContain('e10')
    expect(avp).toHaveLength(8)
    const { figure, names } = await ask({
      report: 'sites',
      ...march,
      siteId: sites.alpha,
      column: `${types.paid}`,
    })
    expect([figure, names]).toEqual([
      2,
      { office: null, agent: null, site: 'Alpha', type: 'Paid', useApproveSale: false },
    ])
  })

  const group = (
    site: keyof typeof sites,
    sitename: string,
    type: keyof typeof types,
    typename: string,
    sales: number,
    reversals: number,
  ) => ({
    siteId: sites[site],
    sitename,
    typeId: types[type],
    typename,
    sales,
    reversals,
    sum: sales - reversals,
  })
})

describe('is refused', () => {
  test.each([
    ['an earning, without the flag', { column: 'earn' }, 'column'],
    ['a site that is not there', { siteId: 999_999 }, 'siteId'],
  ])('%s', async (_, request, field) => {
    const asked = { report: 'payroll', ...march, column: 'payout', ...request }
    await expect(ask(asked, admin)).rejects.toMatchObject({
      data: { [field]: [expect.anything()] },
    })
  })

  test.each([
    ['a column of another report', { report: 'payroll', column: 'payoutPhp' }],
    ['AVP sales where there are no tiers', { report: 'sites', column: 'avpSales' }],
    ['pay by link type outside of a payroll', { report: 'sites', column: `${types.paid}_payout` }],
    ['a tier where there are none', { report: 'payroll', column: 'payout', avp: 1 }],
    [
      "another type's column",
      { report: 'payroll', column: `${types.free}_payout`, typeId: types.paid },
    ],
    ['a column that is no amount', { report: 'payroll', column: 'raws' }],
    ['a column that is none', { report: 'payroll', column: 'payout; select' }],
  ])('%s', (_, request) => {
    expect(explainRequestSchema.safeParse({ ...march, ...request }).success).toBe(false)
  })
})

describe('nobody learns more than from the report:', () => {
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const carlo = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.carlo })
  const noel = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })
  const sales = { report: 'sites', ...march, column: 'sales' }
  const showPayouts = (value: '0' | '1') =>
    db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()

  test('an office gets its own sales explained, whatever it asks for', async () => {
    const all = await ask(sales, cebu)
    expect([all.figure, all.sum, all.parts.total]).toEqual([3, 3, 5])
    for (const foreign of [{ agentId: agents.maria }, { companyId: offices.manila }]) {
      const { figure, parts, names } = await ask({ ...sales, ...foreign }, cebu)
      expect([figure, parts.total, names.agent, names.office]).toEqual([0, 0, null, null])
    }
  })

  test('an office sees the names of its agents, and of those who left it', async () => {
    const { names } = await ask({ ...sales, agentId: agents.noel, companyId: offices.cebu }, cebu)
    expect(names).toMatchObject({ agent: 'noel', office: 'Cebu' })
    const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
    const left = await ask({ ...sales, agentId: agents.noel }, manila)
    expect([left.names.agent, left.figure]).toEqual(['noel', 1])
    expect((await ask({ ...sales, agentId: agents.carlo }, manila)).names.agent).toBeNull()
  })

  test('an agent gets their own sales explained, at all of their offices, and nobody’s name', async () => {
    const own = await ask({ ...sales, agentId: agents.noel }, noel)
    expect([own.figure, own.parts.total, own.names.agent]).toEqual([2, 2, 'noel'])
    for (const foreign of [
      { agentId: agents.noel },
      { agentId: agents.maria },
      { companyId: offices.manila },
    ]) {
      const { figure, parts, names } = await ask({ ...sales, ...foreign }, carlo)
      expect([figure, parts.total]).toEqual([0, 0])
      expect(names).toMatchObject({ office: null, agent: null })
    }
  })

  test('a site that they never sold does not exist for them', async () => {
    const unsold = await buildSite(db, { sitename: 'Secret' })
    await db.deleteFrom('office_sites').where('site_id', '=', unsold).execute()
    await expect(ask({ ...sales, siteId: unsold }, carlo)).rejects.toMatchObject({
      data: { siteId: ['This site no longer exists. Choose another one'] },
    })
  })

  test('payrolls are for staff, and earnings for those who may see them', async () => {
    for (const report of ['payroll', 'payrollAvp'])
      for (const who of [cebu, carlo])
        await expect(ask({ ...sales, report }, who)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    for (const who of [cebu, carlo, admin])
      await expect(ask({ ...sales, column: 'earn' }, who)).rejects.toMatchObject({
        data: { column: [expect.anything()] },
      })
  })

  test('only staff choose a tier', async () => {
    const ofTier = { report: 'avp', ...threeWeeks, column: 'sales', avp: 1 }
    await expect(ask(ofTier, carlo)).rejects.toMatchObject({ data: { avp: [expect.anything()] } })
  })

  test('payouts and their rates only while payouts are visible, and never the postback', async () => {
    const payout = { ...sales, column: 'payout' }
    await showPayouts('0')
    await expect(ask(payout, carlo)).rejects.toMatchObject({
      data: { column: [expect.anything()] },
    })
    await showPayouts('1')
    const { figure, parts } = await ask(payout, carlo)
    await showPayouts('0')

    expect(figure).toBe(500.1)
    expect(parts.items.map(({ rate }) => rate)).toEqual([300.75, 300.75, 400, 100.1])
    for (const part of parts.items) {
      expect(part).not.toHaveProperty('postbackId')
    }
    const [seen] = (await ask(payout, admin)).parts.items
    expect(seen).toHaveProperty('postbackId')
  })
})

/** The columns of an answer that can be explained. */
const amountsOf = ({ overall }: SiteStats) =>
  Object.keys(overallTotals(overall)).filter(isAmountColumn)

const ask = async (request: unknown, who = superadmin): Promise<Explanation> =>
  explanationSchema.parse(await explain(databases, who, explainRequestSchema.parse(request)))

const nameOf = (eventId: string) => Object.keys(eventIds).find((name) => eventIds[name] === eventId)

const linesOf = (parts: Explanation['parts']['items']) =>
  parts.map((part) => [
    nameOf(part.eventId),
    part.agent,
    part.typename,
    part.rateSource,
    part.amount,
  ])

const centavos = (amount: number) => Math.round(amount * 100)
const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + centavos(amount), 0)
