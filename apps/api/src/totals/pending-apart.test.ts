import { fc, test as property } from '@fast-check/vitest'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { addToTotals } from '../../test/add-to-totals.ts'
import { testDatabase } from '../../test/database.ts'
import { openDatabase } from '../db/database.ts'
import { pending } from './fold-totals.queries.ts'
import { foldTotals, LEVELS } from './index.ts'
import { pendingApart } from './pending-apart.queries.ts'

/** Two databases that fold the same events, each in its own way. */
const sides = await Promise.all(
  (['together', 'distributed'] as const).map(async (layout) => {
    const { db, connection } = await testDatabase({ layout })
    return {
      db,
      owner: openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true }),
    }
  }),
)

const delta = fc.record({
  day: fc.constantFrom('2026-03-08', '2026-03-15', '2026-04-01'),
  agent_id: fc.integer({ min: 1, max: 4 }),
  office_id: fc.integer({ min: 1, max: 2 }),
  site_id: fc.constant(1),
  type_id: fc.integer({ min: 1, max: 2 }),
  raws: fc.integer({ min: 0, max: 3 }),
  sales: fc.integer({ min: -1, max: 2 }),
})

property.prop([fc.array(fc.array(delta, { maxLength: 6 }), { maxLength: 4 })], { numRuns: 25 })(
  'folds that ask for the rows in question by name leave the same totals as those that join them',
  async (folds) => {
    const left = []
    for (const { db, owner } of sides) {
      const tables = [...LEVELS.map(({ table }) => table), 'totals_pending']
      await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(owner.db)
      for (const deltas of folds) {
        await addToTotals(db, deltas)
        if (deltas.length > 0) await expectSameDetails(db)
        await foldTotals(db)
      }
      const content: Record<string, string[]> = {}
      for (const table of tables) {
        const { rows } = await sql<{ line: string }>`
          select line::text as line from ${sql.table(table)} as line order by 1
        `.execute(db)
        content[table] = rows.map(({ line }) => line)
      }
      left.push(content)
    }
    expect(left[1]).toEqual(left[0])
  },
)

/** Both forms, asked of one database. */
async function expectSameDetails(db: (typeof sides)[number]['db']) {
  await db.transaction().execute(async (tx) => {
    const forms = [pending, await pendingApart(tx)].map(({ detailRows }) => detailRows)
    const [joined, named] = await Promise.all(
      forms.map((form) =>
        sql`select day, office_id, detail_rows from (${form}) as details order by 1, 2`.execute(tx),
      ),
    )
    expect(named?.rows).toEqual(joined?.rows)
  })
}
