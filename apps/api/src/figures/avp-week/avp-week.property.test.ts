import { fc, test as property } from '@fast-check/vitest'
import type { AvpStanding } from '@tallyroom/contract/figures/avp-week'
import { payrollAvpCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { addToTotals, clearTotals } from '../../../test/add-to-totals.ts'
import { viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { anyDeed, buildTwoOffices, FIRST, WEEKS } from '../../../test/two-office-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { readTotals } from '../../totals/index.ts'
import { statsReport } from '../statistics/report.ts'
import { readStanding } from './avp-week.ts'

const database = await testDatabase()
const services = testServices(database)
const { db, clock } = services
const world = await buildTwoOffices(db)
const { agents } = world
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()

const staff = viewer()
const deeds = fc.array(fc.record({ ...anyDeed(world), sales: fc.constantFrom(1, 1, 2, 3, -1) }), {
  maxLength: 40,
})
/** Four tiers of any size and rate; the second schedule begins in the fourth week. */
const schedule = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
  rates: fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 8, maxLength: 8 }),
})

property.prop([deeds, schedule, schedule], { numRuns: 12 })(
  'the money of a week is that of Payroll AVP, now and in the weeks before, and reaching a tier adds what was announced',
  async (made, first, second) => {
    await store(made, [...tiersFrom(FIRST, first), ...tiersFrom(addDays(FIRST, 21), second)])
    const monday = addDays(FIRST, 7 * (WEEKS - 1))
    clock.set(atNewYork(addDays(monday, 6), '23:59').toISOString())

    for (const agentId of agents) {
      const { office_id: officeId } = await db
        .selectFrom('agents')
        .select('office_id')
        .where('id', '=', agentId)
        .executeTakeFirstOrThrow()
      const agent = viewer({ role: 'agent', officeId, agentId })
      const shown = await standing(agent, agentId)
      expect(await standing(staff, agentId)).toEqual({ ...shown, username: expect.anything() })
      const weeks = [...shown.before, { ...shown, start: shown.week.start }]
      for (const { start, pay } of weeks.slice(-WEEKS)) {
        expect(pay).toEqual(await payrollAvp(start, agentId))
      }
      const office = viewer({ role: 'company', officeId, agentId: undefined })
      expect((await standing(office, agentId)).pay).toEqual(
        await payrollAvp(monday, agentId, officeId),
      )

      const { next } = shown
      if (!next) continue
      await addToTotals(db, [
        {
          ...deltaOf(world.types[0], next.missing),
          day: monday,
          agent_id: agentId,
          office_id: officeId,
        },
      ])
      const then = await standing(agent, agentId)
      expect(then.tier).toBe(next.tier)
      expect(cents(then.pay?.php)).toBe(cents(shown.pay?.php) + cents(next.adds?.php))
      expect(cents(then.pay?.dollars)).toBe(cents(shown.pay?.dollars) + cents(next.adds?.dollars))
    }
  },
)

const standing = (who: Viewer, agentId: number): Promise<AvpStanding> =>
  readTotals(services, (tx, today) => readStanding({ tx, viewer: who, today }, agentId))

/** What Payroll AVP pays an agent for a week, for one office or for all. */
async function payrollAvp(start: Day, agentId: number, companyId?: number) {
  const criteria = payrollAvpCriteriaSchema.parse({
    start,
    end: addDays(start, 6),
    groupBy: 'agent',
    agentId,
    companyId,
  })
  const { overall } = await statsReport(services, staff, 'payrollAvp', criteria)
  return { php: overall.payoutPhp ?? 0, dollars: overall.payoutDollars ?? 0 }
}

const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)

const deltaOf = ({ avp, ...type }: (typeof world.types)[number], sales: number) => ({
  ...type,
  sales,
  avp_sales: avp ? sales : 0,
})

async function store(
  made: readonly Parameters<Parameters<typeof deeds.map>[0]>[0][number][],
  tiers: ReturnType<typeof tiersFrom>,
): Promise<void> {
  await clearTotals(db)
  await db.deleteFrom('avp_tiers').execute()
  await db.insertInto('avp_tiers').values(tiers).execute()
  await addToTotals(
    db,
    made.map(({ type, sales, ...whose }) => ({ ...whose, ...deltaOf(type, sales) })),
  )
}

function tiersFrom(valid_from: Day, { sizes, rates }: { sizes: number[]; rates: number[] }) {
  let from = 0
  return [...sizes, 1000].map((size, index) => {
    const from_sales = from
    from += size
    return {
      valid_from,
      index,
      from_sales,
      to_sales: index === sizes.length ? 1000 : from - 1,
      payout_centavos: rates[index] ?? 0,
      payout_cents: rates[index + 4] ?? 0,
    }
  })
}
