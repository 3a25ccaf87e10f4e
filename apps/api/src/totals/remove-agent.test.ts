import { fc, test as property } from '@fast-check/vitest'
import { addDays } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { addToTotals } from '../../test/add-to-totals.ts'
import { testDatabase } from '../../test/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { foldTotals, LEVELS, lockTotals, removeAgentFromTotals, type TotalsDelta } from './index.ts'

const { db, layout } = await testDatabase()

const anyDelta = fc.record({
  day: fc.integer({ min: 0, max: 40 }).map((days) => addDays('2026-02-20', days)),
  agent_id: fc.integer({ min: 1, max: 3 }),
  office_id: fc.integer({ min: 1, max: 2 }),
  site_id: fc.constant(1),
  type_id: fc.integer({ min: 1, max: 2 }),
  raws: fc.integer({ min: 0, max: 2 }),
  sales: fc.integer({ min: -1, max: 1 }),
  avp_sales: fc.integer({ min: -1, max: 1 }),
  payout_centavos: fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }),
})
const batches = fc.array(fc.array(anyDelta, { maxLength: 10 }), { maxLength: 5 })

property.prop([batches, fc.array(anyDelta, { maxLength: 5 })], { numRuns: 40 })(
  'without an agent the totals are those of a world in which it never was',
  async (folded, pending) => {
    await clear()
    for (const batch of folded) await addAndFold(batch)
    await addToTotals(db, pending)
    await inTransaction(
      db,
      async (tx) => {
        await lockTotals(tx)
        await removeAgentFromTotals(tx, 1, layout)
      },
      { isolation: 'repeatable read' },
    )
    await foldTotals(db)
    const left = await everything()

    await clear()
    await addAndFold([...folded.flat(), ...pending].filter(({ agent_id }) => agent_id !== 1))
    expect(left).toEqual(await everything())
  },
)

async function addAndFold(deltas: readonly TotalsDelta[]): Promise<void> {
  await addToTotals(db, deltas)
  await foldTotals(db)
}

async function clear(): Promise<void> {
  await db.deleteFrom('totals_pending').execute()
  for (const { table } of LEVELS) await db.deleteFrom(table).execute()
}

/** Every row of every level. */
async function everything(): Promise<Record<string, string[]>> {
  const levels: Record<string, string[]> = {}
  for (const { table } of LEVELS) {
    const rows = await db.selectFrom(table).selectAll().execute()
    levels[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return levels
}
