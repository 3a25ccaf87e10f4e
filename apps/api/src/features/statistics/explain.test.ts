import { statsTables } from '@tallyroom/contract/stats-table'
import {
  type Explanation,
  explainRequestSchema,
  explanationSchema,
} from '@tallyroom/contract/stats-explain'
import { payrollAvpCriteriaSchema, payrollCriteriaSchema } from '@tallyroom/contract/statistics'
import { describe, expect, test } from 'vitest'
import { viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import { seeded } from '../../../test/hostile/random.ts'
import { fixedClock } from '../../lib/clock.ts'
import { explain } from './explain.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const { offices, agents, sites, types, eventIds, postbackIds } = await buildHandCountedWorld(db)
const databases = { db, reportDb: db, clock: fixedClock('2026-03-25T12:00:00Z') }

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

const march = { start: '2026-03-01', end: '2026-03-31' }
const threeWeeks = { start: '2026-03-02', end: '2026-03-22' }

test("an office's payout: the sales by link type and rate, with whose rate it was", async () => {
  const cebu = {
    report: 'payroll',
    criteria: march,
    row: { companyId: offices.cebu },
    column: 'payout',
  }
  const { figure, sum, currency, groups, otherGroups, parts } = await ask(cebu)

  expect({ figure, sum, currency, otherGroups }).toEqual({
    figure: 1200.1,
    sum: 1200.1,
    currency: 'php',
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
    criteria: march,
    row: { companyId: offices.cebu },
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

test('a reversal says what it takes back, and each part which postback brought it', async () => {
  const { parts } = await ask({
    report: 'payroll',
    criteria: march,
    row: { companyId: offices.cebu },
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

test('by tiers: the week, the tier in it and why, and since when its schedule is valid', async () => {
  const cebu = {
    report: 'payrollAvp',
    criteria: threeWeeks,
    row: { companyId: offices.cebu },
    column: 'payoutPhp',
  }
  const { figure, sum, groups, parts } = await ask(cebu)

  expect([figure, sum]).toEqual([46.24, 46.24])
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
    ['2026-03-16', 0, '2026-03-02', 1.01, 0, 1, -1.01],
    ['2026-03-09', 1, '2026-03-02', 11, 1, 0, 11],
    ['2026-03-02', 1, '2026-03-02', 11, 1, 0, 11],
    ['2026-03-02', 2, '2026-03-02', 25.25, 1, 0, 25.25],
  ])
  expect(linesOf(parts.items)).toEqual([
    ['e15', 'carlo', 'Join', 'tier', -1.01],
    ['e14', 'carlo', 'Join', 'tier', 11],
    ['e09', 'carlo', 'Free', 'tier', 11],
    ['e08', 'noel', 'Paid', 'tier', 25.25],
  ])
  expect(parts.items.map(({ reason }) => reason?.agentAvpSales)).toEqual([-1, 1, 1, 2])
})

test('of the agent that moved, a day at its old office is paid by its sales at both', async () => {
  const { figure, parts } = await ask({
    report: 'payrollAvp',
    criteria: threeWeeks,
    row: { date: '2026-03-02', agentId: agents.noel, companyId: offices.manila },
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

/** The overall amounts, in which all others are, and some of the others: now these, now those. */
const sampled = <T extends { row: object | undefined }>(figures: readonly T[]): T[] =>
  process.env['TESTS'] === 'long'
    ? [...figures]
    : figures.filter(({ row }) => row === undefined || random.chance(1 / EVERY))

describe('every amount of every view is the sum of its parts, to the centavo', () => {
  const plain = {
    payout: 'payout',
    bonusPayout: 'bonusPayout',
    earn: 'earning',
    bonusEarn: 'bonusEarning',
  } as const
  const paid = { ...plain, payoutPhp: 'payoutPhp', payoutDollars: 'payoutDollars' } as const

  test.each([
    ...statsTables.payroll.views.flatMap((groupBy) => [
      { report: 'payroll' as const, groupBy, criteria: march },
      { report: 'payroll' as const, groupBy, criteria: { ...march, siteId: sites.alpha } },
    ]),
    ...statsTables.payrollAvp.views.flatMap((groupBy) => [
      { report: 'payrollAvp' as const, groupBy, criteria: threeWeeks },
      { report: 'payrollAvp' as const, groupBy, criteria: { ...threeWeeks, avp: 1 } },
      {
        report: 'payrollAvp' as const,
        groupBy,
        criteria: { ...threeWeeks, siteId: sites.alpha, avp: 2 },
      },
    ]),
  ])('$report by $groupBy of $criteria', async ({ report, groupBy, criteria }) => {
    const schema = report === 'payroll' ? payrollCriteriaSchema : payrollAvpCriteriaSchema
    const {
      page,
      overall,
      types: shown,
    } = await statsReport(databases, superadmin, report, schema.parse({ ...criteria, groupBy }))
    const ofTypes = Object.fromEntries(
      shown.map(({ id }) => [`${id}_payout`, `${id}_payout`] as const),
    )
    const columns = { ...(report === 'payroll' ? plain : paid), ...ofTypes }
    expect(page.items.length).toBeGreaterThan(0)
    const figures = Object.entries(columns).flatMap(([column, ofOverall]) =>
      [...page.items, undefined].map((row) => ({ column, ofOverall, row })),
    )
    for (const { column, ofOverall, row } of sampled(figures)) {
      const shownFigure = row ? row[column as 'earn'] : overall[ofOverall as 'earning'] // looked up by name
      const { date, companyId, agentId, typeId } = row ?? {}
      const key = { date, companyId, agentId, typeId }
      const request = { report, criteria, row: key, column, pageSize: 2 }
      const { figure, sum, groups, parts } = await ask(request)
      expect([figure, sum], `EXPLAIN_SEED=${seed}`).toEqual([shownFigure, shownFigure])
      expect(sumOf(groups.map((group) => group.sum))).toBe(centavos(figure))
      let explained = 0
      for (let number = 1; (number - 1) * 2 < parts.total; number++) {
        const { parts: part } = await ask({ ...request, page: number })
        expect(sumOf(part.items.map(({ amount }) => amount))).toBe(centavos(part.pageSum))
        explained += centavos(part.pageSum)
      }
      expect(explained).toBe(centavos(figure))
    }
  })
})

describe('is refused', () => {
  test.each([
    ['an earning, without the flag', { column: 'earn' }, 'column'],
    ['a day outside of the report', { row: { date: '2026-04-01' } }, 'row'],
    [
      "another office's row",
      { criteria: { ...march, companyId: offices.manila }, row: { companyId: offices.cebu } },
      'row',
    ],
    [
      "another agent's row",
      { criteria: { ...march, agentId: agents.maria }, row: { agentId: agents.noel } },
      'row',
    ],
    ['a site that is not there', { criteria: { ...march, siteId: 999_999 } }, 'siteId'],
    [
      "another type's column",
      {
        criteria: { ...march, siteId: sites.alpha, typeId: types.paid },
        column: `${types.free}_payout`,
      },
      'column',
    ],
  ])('%s', async (_, request, field) => {
    const asked = { report: 'payroll', criteria: march, column: 'payout', ...request }
    await expect(ask(asked, admin)).rejects.toMatchObject({
      data: { [field]: [expect.anything()] },
    })
  })

  test.each([
    [
      'a column that the report does not have',
      { report: 'payroll', criteria: march, column: 'payoutPhp' },
    ],
    ['a column that is no amount', { report: 'payroll', criteria: march, column: 'sales' }],
    [
      'a report by tiers of half weeks',
      { report: 'payrollAvp', criteria: march, column: 'payoutPhp' },
    ],
  ])('%s', (_, request) => {
    expect(explainRequestSchema.safeParse(request).success).toBe(false)
  })
})

test('who sees but an office is explained its own sales, whatever row is asked for', async () => {
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const all = await ask({ report: 'payroll', criteria: march, column: 'payout' }, cebu)
  const foreign = await ask(
    { report: 'payroll', criteria: march, row: { agentId: agents.maria }, column: 'payout' },
    cebu,
  )

  expect([all.figure, all.sum, all.parts.total]).toEqual([1200.1, 1200.1, 5])
  expect([foreign.figure, foreign.parts.total]).toEqual([0, 0])
})

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
