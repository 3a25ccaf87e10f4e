import { fc } from '@fast-check/vitest'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { Db, DbOrTx } from '../src/db/database.ts'
import { foldTotals, LEVELS, metrics, type TotalsDelta } from '../src/totals/index.ts'

/** Adds pending totals without events. In the app, they are written in the event's own statement. */
export async function addToTotals(db: DbOrTx, deltas: readonly TotalsDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await db
    .insertInto('totals_pending')
    .values(
      deltas.map((delta) => ({
        ...Object.fromEntries(metrics.map((metric) => [metric, 0])),
        ...delta,
      })),
    )
    .execute()
}

/** Adds pending totals and folds them into every level. */
export async function addAndFold(db: Db, deltas: readonly TotalsDelta[]): Promise<void> {
  await addToTotals(db, deltas)
  await foldTotals(db)
}

/** Empties every level and the pending totals. */
export async function clearTotals(db: DbOrTx): Promise<void> {
  await db.deleteFrom('totals_pending').execute()
  await db.deleteFrom('totals_open_day').execute()
  for (const { table } of LEVELS) await db.deleteFrom(table).execute()
}

/** Every row of every level and of the pending totals, as sorted text. */
export async function readAllTotals(db: DbOrTx): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of [...LEVELS.map((level) => level.table), 'totals_pending'] as const) {
    const rows = await db.selectFrom(table).selectAll().execute()
    content[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return content
}

/** Totals of 4 agents, 2 offices and 3 link types within some days; reversals included. */
export const anyDelta = ({ from, days }: { from: Day; days: number }) =>
  fc.record({
    day: fc.integer({ min: 0, max: days }).map((day) => addDays(from, day)),
    agent_id: fc.integer({ min: 1, max: 4 }),
    office_id: fc.integer({ min: 1, max: 2 }),
    site_id: fc.constant(1),
    type_id: fc.integer({ min: 1, max: 3 }),
    raws: fc.integer({ min: 0, max: 5 }),
    sales: fc.integer({ min: -2, max: 2 }),
    avp_sales: fc.integer({ min: -1, max: 2 }),
    payout_centavos: fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }),
  })
