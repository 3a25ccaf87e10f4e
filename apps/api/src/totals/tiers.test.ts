import { fc, test as property } from '@fast-check/vitest'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { type AvpStep, isOfTier, isWeekOfTier, stepPlace } from './tiers.queries.ts'

const { db } = await testDatabase()

const FIRST: Day = '2026-01-05'

/**
 * Schedules a few weeks apart, each with tiers that begin at 0 and at ascending numbers of sales.
 */
const steps = fc
  .uniqueArray(
    fc.record({
      week: fc.integer({ min: 0, max: 5 }),
      starts: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    }),
    { selector: ({ week }) => week, minLength: 1, maxLength: 3 },
  )
  .map((schedules) =>
    schedules.flatMap(({ week, starts }) =>
      [0, ...starts.toSorted((one, other) => one - other)].map((from, index): AvpStep => ({
        index,
        from,
        to: 0,
        payoutCentavos: 0,
        payoutCents: 0,
        scheduleFrom: addDays(FIRST, 7 * week),
      })),
    ),
  )

property.prop([steps, fc.integer({ min: 0, max: 3 })], { numRuns: 60 })(
  'the bounds of a tier select the weeks whose place is of that tier',
  async (all, index) => {
    const tier = { index, steps: all }
    const { rows } = await sql<{ wrong: string }>`
      select day || ' ' || week_avp_sales as wrong
      from (
        select *, ${stepPlace(all, sql`day`, sql`week_avp_sales`)} as place
        from (
          select date '2025-12-29' + 7 * week as day, week_avp_sales
          from generate_series(0, 8) as week, generate_series(-2, 8) as week_avp_sales
        ) as weeks
      ) as placed
      where ${isWeekOfTier(tier)} is distinct from coalesce(${isOfTier(tier)}, false)
    `.execute(db)
    expect(rows).toEqual([])
  },
)
