import { fc, test as property } from '@fast-check/vitest'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addToTotals, anyDelta, clearTotals, readAllTotals } from '../../../test/add-to-totals.ts'
import { testDatabase } from '../../../test/database.ts'
import { openDatabase } from '../../db/database.ts'
import { inTransaction, isUnavailable } from '../../db/transaction.ts'
import { foldTotals, verifyTotals } from '../index.ts'

/** Two databases that fold the same events, one for each layout. */
const sides = await Promise.all(
  (['together', 'distributed'] as const).map((layout) => testDatabase({ layout })),
)

const delta = anyDelta({ from: '2026-03-08', days: 10 })

property.prop([fc.array(fc.array(delta, { maxLength: 6 }), { maxLength: 4 })], { numRuns: 25 })(
  'both layouts fold the same events into the same totals',
  async (folds) => {
    const contents = []
    for (const { db } of sides) {
      await clearTotals(db)
      for (const deltas of folds) {
        await addToTotals(db, deltas)
        await foldTotals(db)
      }
      contents.push(await readAllTotals(db))
    }
    expect(contents[1]).toEqual(contents[0])
  },
)

test('while a shard moves, folds go on, and a verification soon gives way to events', async () => {
  const [, distributed] = sides
  if (!distributed) throw new Error('there are two sides')
  const { db, connection } = distributed
  const mover = openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true })
  afterAll(() => mover.close())
  await clearTotals(db)
  const clicked = { day: '2026-03-08', agent_id: 1, office_id: 1, site_id: 1, type_id: 1, raws: 1 }
  const add = () => addToTotals(db, [clicked])
  await add()
  await inTransaction(mover.db, async (tx) => {
    // As `citus_move_shard_placement` does with all tables that move together.
    await sql`lock table clicks, totals_pending in share update exclusive mode`.execute(tx)
    expect(await foldTotals(db)).toBe('folded')
    const verified = verifyTotals(db).catch((error: unknown) => error)
    await add()
    expect(isUnavailable(await verified)).toBe(true)
  })
  expect(await foldTotals(db)).toBe('folded')
  const days = await db.selectFrom('totals_day_agent').select(['agent_id', 'raws']).execute()
  expect(days).toEqual([{ agent_id: 1, raws: 2 }])
})
