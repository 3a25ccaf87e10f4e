import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { addToTotals, anyDelta, clearTotals, readAllTotals } from '../../../test/add-to-totals.ts'
import { testDatabase } from '../../../test/database.ts'
import { foldTotals } from '../index.ts'

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
