import { type StatsGrouping, statsGroupings } from '@tallyroom/contract/figures/stats-table'
import { SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { fc, test as property } from '@fast-check/vitest'
import { statsCriteriaSchema, siteStatsSchema } from '@tallyroom/contract/figures/statistics'
import { addDays } from '@tallyroom/domain/new-york'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import type { Viewer } from '../../access/viewer.ts'
import { foldTotals, LEVELS, type TotalsDelta } from '../../totals/index.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()

/** A day in the middle of the random histories: some ranges contain it, others end before it. */
const databases = databasesAt(db, '2030-06-25T12:00:00Z')

// Two offices, three agents, two sites, three link types.
const manila = await buildOffice(db, { name: 'Manila' })
const cebu = await buildOffice(db, { name: 'cebu' })
const maria = await buildAgent(db, {
  office_id: manila,
  username: 'maria',
  first_name: 'Maria',
  last_name: 'Cruz',
})
const noel = await buildAgent(db, { office_id: manila, username: 'Noel' })
const carlo = await buildAgent(db, { office_id: cebu, username: 'carlo' })
const site = await buildSite(db, { sitename: 'Alpha' })
const otherSite = await buildSite(db, { sitename: 'Beta' })
const free = await buildLinkType(db, { site_id: site, typename: 'Free' })
const paid = await buildLinkType(db, { site_id: site, typename: 'Paid', bonus: true })
const signUp = await buildLinkType(db, { site_id: otherSite, typename: 'Sign-up' })

const delta = (more: Partial<TotalsDelta>): TotalsDelta => ({
  day: '2026-03-08',
  agent_id: maria,
  office_id: manila,
  site_id: site,
  type_id: free,
  ...more,
})

await addToTotals(db, [
  // Before the period: eight days earlier, and just outside the equal length before it.
  delta({ day: '2026-02-28', sales: 1, lpp: 4 }),
  delta({ day: '2026-02-23', sales: 1, lpp: 1000 }),
  delta({
    day: '2026-03-08',
    raws: 10,
    uniques: 6,
    sales: 2,
    earning_cents: 50_01,
    payout_centavos: 1000_10,
    lpp: 2,
  }),
  delta({
    day: '2026-03-08',
    type_id: paid,
    raws: 1,
    sales: 1,
    bonus_sales: 1,
    earning_cents: 30_00,
    bonus_earning_cents: 5_05,
    payout_centavos: 700_00,
    bonus_payout_centavos: 70_07,
    lpp: 3,
  }),
  delta({ day: '2026-03-09', agent_id: noel, raws: 4, uniques: 4 }),
  delta({
    day: '2026-03-09',
    agent_id: carlo,
    office_id: cebu,
    site_id: otherSite,
    type_id: signUp,
    raws: 7,
    uniques: 5,
    sales: -1,
    earning_cents: -25_00,
    payout_centavos: -500_00,
    lpp: -1,
  }),
  delta({ day: '2026-03-15', raws: 1, uniques: 1 }),
  delta({ day: '2026-03-16', raws: 999 }), // the day after the period
])
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'lpp_visible').execute()

const superadmin = viewer({ role: 'superadmin', permissions: ['EARNING_VISIBLE'] })
const period = { start: '2026-03-08', end: '2026-03-15' }

test('by date: one row per day, newest first, and the sums of all', async () => {
  const { page, overall, types } = await stats(superadmin, { groupBy: 'date' })

  expect(page).toEqual({
    total: 3,
    items: [
      row({ date: '2026-03-15', raws: 1, uniques: 1 }),
      row({
        date: '2026-03-09',
        raws: 11,
        uniques: 9,
        sales: -1,
        earn: -25,
        payout: -500,
        lpp: -1,
      }),
      row({
        date: '2026-03-08',
        raws: 11,
        uniques: 6,
        sales: 3,
        bonusSales: 1,
        bonusRatio: 100 / 3,
        earn: 80.01,
        bonusEarn: 5.05,
        payout: 1700.1,
        bonusPayout: 70.07,
        lpp: 5,
      }),
    ],
  })
  expect(overall).toEqual({
    raws: 23,
    uniques: 16,
    sales: 2,
    bonusSales: 1,
    bonusRatio: 50,
    earning: 55.01,
    bonusEarning: 5.05,
    payout: 1200.1,
    bonusPayout: 70.07,
    lpp: 4,
  })
  expect(types).toEqual([])
})

test('by office, named regardless of case, with the points of the eight days before', async () => {
  const { page, overall } = await stats(superadmin, { groupBy: 'office' })

  expect(page).toEqual({
    total: 2,
    items: [
      row({
        companyId: cebu,
        officeName: 'cebu',
        raws: 7,
        uniques: 5,
        sales: -1,
        earn: -25,
        payout: -500,
        lpp: -1,
        lppPrev: 0,
      }),
      row({
        companyId: manila,
        officeName: 'Manila',
        raws: 16,
        uniques: 11,
        sales: 3,
        bonusSales: 1,
        bonusRatio: 100 / 3,
        earn: 80.01,
        bonusEarn: 5.05,
        payout: 1700.1,
        bonusPayout: 70.07,
        lpp: 5,
        lppPrev: 4,
      }),
    ],
  })
  expect(overall.lpp_prev).toBe(4)
})

test('by office for one agent, previous points are those of that agent alone', async () => {
  const { page, overall } = await stats(superadmin, { groupBy: 'office', agentId: noel })

  expect(page.items.map(({ officeName, lppPrev }) => [officeName, lppPrev])).toEqual([
    ['Manila', 0],
  ])
  expect(overall.lpp_prev).toBe(0)
})

test('a detail row is compared with the same position in the period before', async () => {
  const { page } = await stats(superadmin, { groupBy: 'detail', agentId: maria })

  expect(
    page.items.map(({ date, agent, agentFullName, lpp, lppPrev }) => [
      date,
      agent,
      agentFullName,
      lpp,
      lppPrev,
    ]),
  ).toEqual([
    ['2026-03-15', 'maria', 'Maria Cruz', 0, 0],
    ['2026-03-08', 'maria', 'Maria Cruz', 5, 4],
  ])
  expect(page.total).toBe(2)
})

test('one site has a count column for each of its link types', async () => {
  const { page, overall, types, hasBonus } = await stats(superadmin, {
    groupBy: 'agent',
    siteId: site,
  })

  expect(types).toEqual([
    { id: free, typeId: free, typename: 'Free', bonus: false },
    { id: paid, typeId: paid, typename: 'Paid', bonus: true },
  ])
  expect(hasBonus).toBe(true)
  expect(page.items.map((item) => [item.agent, item[`${free}`], item[`${paid}`]])).toEqual([
    ['maria', 2, 1],
    ['Noel', 0, 0],
  ])
  expect([overall[`${free}`], overall[`${paid}`]]).toEqual([2, 1])
})

test('one link type of the site leaves only its own column', async () => {
  const { types, overall } = await stats(superadmin, { siteId: site, typeId: paid })

  expect(types.map(({ typename }) => typename)).toEqual(['Paid'])
  expect(overall.sales).toBe(1)
})

test('an office sees its own agents, whatever the criteria say', async () => {
  const office = viewer({ role: 'company', officeId: manila })

  expect((await stats(office, { groupBy: 'agent' })).page.items.map(({ agent }) => agent)).toEqual([
    'maria',
    'Noel',
  ])
  expect(await stats(office, { groupBy: 'agent', companyId: cebu })).toMatchObject({
    page: { items: [], total: 0 },
    overall: { raws: 0, sales: 0 },
  })
  expect((await stats(office, { agentId: carlo })).page.total).toBe(0)
})

test('figures include suspended and hidden agents, even for an admin whose lists leave them out', async () => {
  const standing = (active: boolean, hidden: boolean) =>
    db.updateTable('agents').set({ active, hidden }).where('id', '=', maria).execute()
  await standing(false, true)
  const { page, overall } = await stats(viewer({ role: 'admin' }), { groupBy: 'agent' })
  await standing(true, false)

  expect(page.items.find(({ agent }) => agent === 'maria')).toMatchObject({
    agentFullName: 'Maria Cruz',
    sales: 3,
  })
  expect(overall.sales).toBe(2)
})

test('an agent sees only themselves', async () => {
  const agent = viewer({ role: 'agent', officeId: manila, agentId: noel })

  const { page, overall } = await stats(agent, {})
  expect(page.items.map(({ date, agent: name, raws }) => [date, name, raws])).toEqual([
    ['2026-03-09', 'Noel', 4],
  ])
  expect(overall.raws).toBe(4)
  expect((await stats(agent, { agentId: maria })).page.total).toBe(0)
})

test.each([
  ['a superadmin', viewer({ role: 'superadmin', permissions: ['EARNING_VISIBLE'] }), true, true],
  [
    'an admin with the flag',
    viewer({ role: 'admin', permissions: ['EARNING_VISIBLE'] }),
    true,
    true,
  ],
  ['an admin without flags', viewer({ role: 'admin' }), false, true],
  ['an office', viewer({ role: 'company', officeId: manila }), false, false],
  ['an agent', viewer({ role: 'agent', officeId: manila, agentId: maria }), false, false],
])('%s sees the amounts that they may see', async (_who, who, earning, payout) => {
  const { page, overall, ...flags } = await stats(who, { groupBy: 'detail' })

  expect(flags).toMatchObject({ earningVisible: earning, payoutVisible: payout })
  for (const amounts of [overall, ...page.items]) {
    expect('payout' in amounts || 'bonusPayout' in amounts).toBe(payout)
    expect('earn' in amounts || 'earning' in amounts || 'bonusEarn' in amounts).toBe(earning)
  }
})

test('whether offices see payouts, and anybody sees points, depends on the options', async () => {
  const office = viewer({ role: 'company', officeId: manila })
  await setOptions('payout_visible', '1')
  await setOptions('lpp_visible', '0')
  const { payoutVisible, lppVisible, overall } = await stats(office, { groupBy: 'agent' })
  await setOptions('payout_visible', '0')
  await setOptions('lpp_visible', '1')

  expect({ payoutVisible, lppVisible }).toEqual({ payoutVisible: true, lppVisible: false })
  expect(overall.payout).toBe(1700.1)
  expect('lpp' in overall || 'lpp_prev' in overall).toBe(false)
})

test.each([
  ['by a column that the view lacks', { groupBy: 'date', sortField: 'agent' }],
  ["by another site's link type", { siteId: site, sortField: String(signUp) }],
  ['by earning without the right', { sortField: 'earn' }],
] as const)('sorting %s is refused', async (_what, criteria) => {
  await expect(stats(viewer({ role: 'admin' }), criteria)).rejects.toMatchObject({
    data: { sortField: ['is not a column of this view'] },
  })
})

test.each([
  ['a comparison that is none', { compare: 'next' }],
  ['points that are neither asked for nor not', { points: 'yes' }],
])('%s is refused', (_what, criteria) => {
  const asked = { groupBy: 'date', start: '2026-03-01', end: '2026-03-02', ...criteria }
  expect(statsCriteriaSchema.safeParse(asked).error?.issues.map(({ path }) => path)).toEqual([
    Object.keys(criteria),
  ])
})

test('a site that does not exist is refused', async () => {
  await expect(stats(superadmin, { siteId: 999_999 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test.each(['raws', 'uniques', 'bonusRatio', 'earn', 'payout', 'lpp', 'lppPrev'] as const)(
  'sorting by %s, either way',
  async (sortField) => {
    for (const sortAsc of [true, false]) {
      const { page } = await stats(superadmin, { groupBy: 'agent', sortField, sortAsc })
      const values = page.items.map((item) => item[sortField] ?? 0)
      expect(values).toEqual(values.toSorted((a, b) => (sortAsc ? a - b : b - a)))
      expect(new Set(values).size).toBeGreaterThan(1)
    }
  },
)

test('the newest day is part of its week, half-month and month, also as their last day', async () => {
  const before = delta({ day: '2029-09-28', raws: 1, sales: 1 })
  const sunday = delta({ day: '2029-09-30', raws: 2, sales: 1 })
  await addToTotals(db, [before, sunday])
  for (const start of ['2029-09-24', '2029-09-16', '2029-09-01']) {
    for (const groupBy of ['agent', 'company', 'type'] as const) {
      const { page, overall } = await stats(superadmin, { groupBy, start, end: '2029-09-30' })
      expect({
        start,
        groupBy,
        rows: page.items.map(({ raws, sales }) => ({ raws, sales })),
      }).toEqual({
        start,
        groupBy,
        rows: [{ raws: 3, sales: 2 }],
      })
      expect(overall).toMatchObject({ raws: 3, sales: 2 })
    }
  }
})

test('a page past the end is empty but has the totals', async () => {
  const { page, overall } = await stats(superadmin, { groupBy: 'date', page: 9 })
  expect(page).toEqual({ items: [], total: 3 })
  expect(overall.raws).toBe(23)
})

const agents = [
  { agent_id: maria, office_id: manila },
  { agent_id: maria, office_id: cebu }, // it moved
  { agent_id: noel, office_id: manila },
  { agent_id: carlo, office_id: cebu },
]
const types = [
  { site_id: site, type_id: free },
  { site_id: site, type_id: paid },
  { site_id: otherSite, type_id: signUp },
]
const history = fc.array(
  fc.record({
    who: fc.constantFrom(...agents),
    what: fc.constantFrom(...types),
    day: fc.integer({ min: 0, max: 150 }).map((days) => addDays('2030-01-20', days)),
    raws: fc.nat(9),
    sales: fc.integer({ min: -3, max: 3 }),
    payout_centavos: fc.integer({ min: -1_000_001, max: 1_000_001 }),
    lpp: fc.integer({ min: -2, max: 5 }),
  }),
  { minLength: 1, maxLength: 40 },
)
/** Sub ids are read from events, which this world lacks. */
type View = Exclude<StatsGrouping, SubName>
const views = statsGroupings.filter((name): name is View => !SUB_NAMES.some((sub) => sub === name))
const question = fc.record({
  groupBy: fc.constantFrom(...views),
  from: fc.nat(150),
  days: fc.integer({ min: 1, max: 120 }),
  siteId: fc.constantFrom(undefined, site, otherSite),
  companyId: fc.constantFrom(undefined, manila, cebu),
  agentId: fc.constantFrom(undefined, maria, carlo),
})

property.prop([history, fc.array(question, { minLength: 8, maxLength: 8 })], { numRuns: 12 })(
  'every grouping, filter and range gives what a naive recount gives, whichever levels answer it',
  async (events, questions) => {
    await db.deleteFrom('totals_pending').execute()
    await db.deleteFrom('totals_open_day').execute()
    for (const { table } of LEVELS) {
      await db.deleteFrom(table).where('day', '>=', '2030-01-01').execute()
    }
    const deltas = events.map(({ who, what, ...rest }) => ({ ...who, ...what, ...rest }))
    await addToTotals(db, deltas.slice(0, 15))
    await foldTotals(db)
    await addToTotals(db, deltas.slice(15))

    for (const { from, days, ...asked } of questions) {
      const start = addDays('2030-01-20', from)
      const end = addDays(start, days - 1)
      const { page, overall } = await stats(superadmin, { ...asked, start, end, pageSize: 500 })

      const matching = (first: string, last: string) =>
        deltas.filter(
          (event) =>
            event.day >= first &&
            event.day <= last &&
            (asked.siteId === undefined || event.site_id === asked.siteId) &&
            (asked.companyId === undefined || event.office_id === asked.companyId) &&
            (asked.agentId === undefined || event.agent_id === asked.agentId),
        )
      const expected = new Map<string, ReturnType<typeof sumOf>>()
      for (const event of matching(start, end)) {
        const key = keyOf(asked.groupBy, event)
        expected.set(key, sumOf([event], expected.get(key)))
      }
      expect(
        new Map(
          page.items.map((item) => [
            keyOf(asked.groupBy, {
              day: item.date ?? '',
              agent_id: item.agentId ?? 0,
              office_id: item.companyId ?? 0,
              type_id: item.typeId ?? 0,
            }),
            shown(item),
          ]),
        ),
      ).toEqual(expected)
      expect(page.total).toBe(expected.size)
      expect(shown(overall)).toEqual(sumOf(matching(start, end)))
      if (asked.groupBy === 'date') continue
      const before = Map.groupBy(matching(addDays(start, -days), addDays(start, -1)), (event) =>
        keyOf(asked.groupBy, { ...event, day: addDays(event.day, days) }),
      )
      const pointsBefore = page.items.map((item) => {
        const key = keyOf(asked.groupBy, {
          day: item.date ?? '',
          agent_id: item.agentId ?? 0,
          office_id: item.companyId ?? 0,
          type_id: item.typeId ?? 0,
        })
        return sumOf(before.get(key) ?? []).lpp
      })
      expect(page.items.map((item) => item.lppPrev)).toEqual(pointsBefore)
      expect(overall.lpp_prev).toBe(pointsBefore.reduce((sum, points) => sum + points, 0))
    }
  },
  60_000,
)

const keyOf = (
  groupBy: View,
  {
    day,
    agent_id,
    office_id,
    type_id,
  }: Record<'agent_id' | 'office_id' | 'type_id', number> & { day: string },
) =>
  ({
    date: day,
    company: `${office_id}`,
    agent: `${agent_id} ${office_id}`,
    detail: `${day} ${agent_id} ${office_id}`,
    type: `${type_id}`,
  })[groupBy]

type Shown = { raws: number; sales: number; payoutCentavos: number; lpp: number }

const nothing: Shown = { raws: 0, sales: 0, payoutCentavos: 0, lpp: 0 }

const sumOf = (
  events: readonly { raws: number; sales: number; payout_centavos: number; lpp: number }[],
  start = nothing,
): Shown =>
  events.reduce(
    (sum, event) => ({
      raws: sum.raws + event.raws,
      sales: sum.sales + event.sales,
      payoutCentavos: sum.payoutCentavos + event.payout_centavos,
      lpp: sum.lpp + event.lpp,
    }),
    start,
  )

const shown = (amounts: {
  raws: number
  sales: number
  payout?: number | undefined
  lpp?: number | undefined
}): Shown => ({
  raws: amounts.raws,
  sales: amounts.sales,
  payoutCentavos: Math.round((amounts.payout ?? 0) * 100),
  lpp: amounts.lpp ?? 0,
})

/** Requests a report as over HTTP: with the schemas of request and response. */
async function stats(who: Viewer, criteria: Partial<z.input<typeof statsCriteriaSchema>>) {
  const parsed = statsCriteriaSchema.parse({ ...period, ...criteria })
  return siteStatsSchema.parse(await statsReport(databases, who, 'sites', parsed))
}

function row(amounts: Record<string, unknown>) {
  const plain = {
    raws: 0,
    uniques: 0,
    sales: 0,
    bonusSales: 0,
    bonusRatio: 0,
    earn: 0,
    bonusEarn: 0,
    payout: 0,
    bonusPayout: 0,
    lpp: 0,
  }
  return {
    ...plain,
    ...('agentId' in amounts || 'companyId' in amounts ? { lppPrev: 0 } : {}),
    ...amounts,
  }
}

function viewer(more: {
  role: Viewer['role']
  permissions?: Viewer['permissions']
  officeId?: number
  agentId?: number
}): Viewer {
  return {
    accountId: 1,
    sessionId: 'a session',
    username: 'someone',
    permissions: [],
    signedInBy: undefined,
    officeId: undefined,
    agentId: undefined,
    ...more,
  } as Viewer // each test names the viewer
}

const setOptions = (name: string, value: string) =>
  db.updateTable('options').set({ value }).where('name', '=', name).execute()

test('by link type: for all sites, each with its site, by name; for one site without a column for each', async () => {
  const all = await stats(superadmin, { groupBy: 'type' })
  const shownTypes = all.page.items.map(({ typename, sitename, sales, earn }) => ({
    typename,
    sitename,
    sales,
    earn,
  }))
  expect(shownTypes).toEqual([
    { typename: 'Free', sitename: 'Alpha', sales: 2, earn: 50.01 },
    { typename: 'Paid', sitename: 'Alpha', sales: 1, earn: 30 },
    { typename: 'Sign-up', sitename: 'Beta', sales: -1, earn: -25 },
  ])
  expect(all.page.items.map(({ typeId, siteId }) => [typeId, siteId])).toEqual([
    [free, site],
    [paid, site],
    [signUp, otherSite],
  ])
  const ofAlpha = await stats(superadmin, { groupBy: 'type', siteId: site, sortField: 'sales' })
  expect(ofAlpha.page.items.map(({ typename }) => typename)).toEqual(['Paid', 'Free'])
  expect(ofAlpha.types).toEqual([])
  await expect(stats(superadmin, { groupBy: 'type', sortField: 'officeName' })).rejects.toThrow()
  await expect(
    stats(superadmin, { groupBy: 'type', siteId: site, sortField: String(free) }),
  ).rejects.toThrow()
  await expect(stats(superadmin, { groupBy: 'date', sortField: 'typename' })).rejects.toThrow()
})

test.each(['sitename', 'typename', 'lppPrev'] as const)(
  'by link type, sorted by %s either way, the same rows come page by page',
  async (sortField) => {
    for (const sortAsc of [true, false]) {
      const asked = { groupBy: 'type', sortField, sortAsc } as const
      const whole = await stats(superadmin, asked)
      const paged = []
      for (const page of [1, 2, 3]) {
        paged.push(...(await stats(superadmin, { ...asked, page, pageSize: 1 })).page.items)
      }
      expect(paged).toEqual(whole.page.items)
    }
  },
)
