import { fc, test as property } from '@fast-check/vitest'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { addToTotals, anyDelta, clearTotals, readAllTotals } from '../../test/add-to-totals.ts'
import { testDatabase } from '../../test/database.ts'
import { pendingAddition } from './fold-totals.queries.ts'
import { foldTotals } from './index.ts'

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
        if (deltas.length > 0) await expectSameDetails(db)
        await foldTotals(db)
      }
      contents.push(await readAllTotals(db))
    }
    expect(contents[1]).toEqual(contents[0])
  },
)

/** Compares both ways of finding new detail rows within one database. */
async function expectSameDetails(db: (typeof sides)[number]['db']) {
  await db.transaction().execute(async (tx) => {
    const [joined, looked] = await Promise.all(
      (['together', 'distributed'] as const).map(async (layout) => {
        const { detailRows } = await pendingAddition(tx, layout)
        return sql`
          select day, office_id, detail_rows from (${detailRows}) as details order by 1, 2
        `.execute(tx)
      }),
    )
    expect(looked?.rows).toEqual(joined?.rows)
  })
}
