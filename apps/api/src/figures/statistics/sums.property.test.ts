import { fc, test as property } from '@fast-check/vitest'
import { overallTotals } from '@tallyroom/contract/figures/stats-figures'
import {
  statsTables,
  type StatsTableName,
  subOfView,
  sumNames,
  viewsOf,
} from '@tallyroom/contract/figures/stats-table'
import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import { addDays } from '@tallyroom/domain/new-york'
import { periodOf, weeksOf } from '@tallyroom/domain/periods'
import { expect, test } from 'vitest'
import { addToTotals, clearTotals } from '../../../test/add-to-totals.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { anyDeed, buildTwoOffices, FIRST, WEEKS } from '../../../test/two-office-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { ReportCriteria } from './report-criteria.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const databases = databasesAt(db, '2026-04-01T12:00:00Z')
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'lpp_visible').execute()

const world = await buildTwoOffices(db)
const { offices, agents, sites, types } = world
await db
  .insertInto('avp_tiers')
  .values(
    [
      { index: 0, from_sales: 0, to_sales: 0 },
      { index: 1, from_sales: 1, to_sales: 2 },
      { index: 2, from_sales: 3, to_sales: 1000 },
    ].map((tier) => ({
      ...tier,
      valid_from: '2026-01-05',
      payout_centavos: 1_234 * (tier.index + 1),
      payout_cents: 77 * (tier.index + 1),
    })),
  )
  .execute()

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const viewers = [
  superadmin,
  viewer({ role: 'company', officeId: offices[1], agentId: undefined }),
  viewer({ role: 'agent', officeId: offices[1], agentId: agents[1] }),
]

const amount = fc.integer({ min: -99_999, max: 99_999 })
const history = fc.array(
  fc.record({
    ...anyDeed(world),
    raws: fc.integer({ min: 0, max: 3 }),
    uniques: fc.integer({ min: 0, max: 3 }),
    sales: fc.integer({ min: -1, max: 2 }),
    bonus_sales: fc.integer({ min: -1, max: 1 }),
    lpp: fc.integer({ min: -2, max: 9 }),
    earning_cents: amount,
    bonus_earning_cents: amount,
    payout_centavos: amount,
    bonus_payout_centavos: amount,
  }),
  { minLength: 5, maxLength: 60 },
)
const maybe = <T>(values: readonly T[]) => fc.constantFrom(undefined, undefined, ...values)
const question = fc.record({
  day: fc.integer({ min: 0, max: 7 * WEEKS - 1 }),
  days: fc.integer({ min: 0, max: 13 }),
  /** The range ends with the week of the newest day, of which some totals leave out something. */
  isLatest: fc.boolean(),
  siteId: maybe(sites),
  typeId: maybe(types.map(({ type_id }) => type_id)),
  companyId: maybe(offices),
  agentId: maybe(agents),
  avp: maybe([0, 1, 2]),
  pageSize: fc.constantFrom(1, 2, 3, 7, 500),
  who: fc.constantFrom(...viewers),
})

property.prop([history, fc.array(question, { minLength: 3, maxLength: 3 })], { numRuns: 12 })(
  'each overall total is the sum of its column over all rows, page by page and in order, and the same in every view',
  async (events, questions) => {
    await clearTotals(db)
    await addToTotals(
      db,
      events.map(({ type: { avp, ...type }, ...delta }) => ({
        ...delta,
        ...type,
        avp_sales: avp ? delta.sales : 0,
      })),
    )
    const newest =
      events
        .map(({ day }) => day)
        .toSorted()
        .at(-1) ?? FIRST
    for (const { who, day, days, isLatest, avp, ...filter } of questions) {
      const end = isLatest ? periodOf(newest, 'week').end : addDays(FIRST, day + days)
      const range = { start: addDays(end, isLatest ? -6 - days : -days), end }
      for (const name of reportNames) {
        const table = statsTables[name]
        const overalls = []
        // Sub ids are read from events, which this world lacks.
        for (const groupBy of viewsOf(table, who).filter((view) => !subOfView(view))) {
          const { items, overall } = await allPages(who, name, {
            ...filter,
            ...(table.isWeekly ? weeksOf(range) : range),
            ...(table.isWeekly && who.role === 'superadmin' && { avp }),
            groupBy,
          })
          expect(sumsOf(items, Object.keys(overall))).toEqual(overall)
          if (groupBy === 'agent') {
            const names = items.map(({ agent = '' }) => agent.toLowerCase())
            expect(names).toEqual(names.toSorted())
          }
          for (const row of items) expect(figuresOf(row)).toEqual(Object.keys(overall).toSorted())
          overalls.push(common.map((column) => overall[column]))
        }
        for (const other of overalls) expect(other).toEqual(overalls[0])
      }
    }
  },
  600_000,
)

test('clicks of an agent who was deleted before they arrived have a row, though no name to sort by', async () => {
  await clearTotals(db)
  const click = { office_id: offices[0], site_id: sites[1], type_id: types[2].type_id, raws: 1 }
  await addToTotals(db, [
    ...[...agents, 999_999].map((agent_id) => ({ ...click, agent_id, day: FIRST })),
    // Weeks lack clicks of the newest day.
    { ...click, agent_id: agents[0], day: addDays(FIRST, 14) },
  ])
  const days = { start: FIRST, end: addDays(FIRST, 1) }
  for (const { start, end } of [periodOf(FIRST, 'week'), days]) {
    const asked = { start, end, groupBy: 'agent', pageSize: 1 } as const
    const { items } = await allPages(superadmin, 'sites', asked)
    expect(items.map(({ agent }) => agent)).toEqual(['Ada', 'Milo', 'zoe', ''])
  }
})

const reportNames = Object.keys(statsTables) as StatsTableName[]

/** All rows, and the overall total of each summed column, in minor units. */
async function allPages(
  who: Viewer,
  name: StatsTableName,
  criteria: Omit<ReportCriteria, 'page'>,
): Promise<{ items: StatsRow[]; overall: Record<string, number> }> {
  const items: StatsRow[] = []
  for (let page = 1; ; page++) {
    const answer = await statsReport(databases, who, name, { ...criteria, page })
    items.push(...answer.page.items)
    if (items.length < answer.page.total) continue
    const { bonusRatio: _, ...sums } = overallTotals(answer.overall)
    return {
      items,
      overall: Object.fromEntries(
        Object.entries(sums).flatMap(([column, sum]) =>
          sum === undefined ? [] : [[column, Math.round(sum * 100)]],
        ),
      ),
    }
  }
}

/** The columns of a row that should have a total, according to the contract's table. */
const figuresOf = (row: StatsRow): string[] =>
  Object.keys(row)
    .filter((name) => isSum.has(name) || /^\d+(_payout)?$/.test(name))
    .toSorted()

/** Columns of every view and viewer. */
const common = ['raws', 'uniques', 'sales', 'bonusSales']

const isSum = new Set<string>(sumNames)

const sumsOf = (rows: readonly StatsRow[], columns: readonly string[]) =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      rows.reduce(
        (sum, row) => sum + Math.round(100 * Number(row[column as keyof StatsRow] ?? 0)),
        0,
      ),
    ]),
  )
