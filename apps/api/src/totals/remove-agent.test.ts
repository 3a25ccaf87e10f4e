import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import {
  addAndFold,
  addToTotals,
  anyDelta,
  clearTotals,
  readAllTotals,
} from '../../test/add-to-totals.ts'
import { testDatabase } from '../../test/database.ts'
import { commitEverywhere } from '../db/citus/layout.ts'
import { inTransaction } from '../db/transaction.ts'
import { foldTotals, removeAgentFromTotals, totalsStoreOf } from './index.ts'

const { db } = await testDatabase()

const delta = anyDelta({ from: '2026-02-20', days: 40 })
/** Closes the day before in every level, whichever it was. */
const beginDay = () =>
  addAndFold(db, [
    { day: '2026-06-01', agent_id: 2, office_id: 1, site_id: 1, type_id: 1, raws: 1 },
  ])
const batches = fc.array(fc.array(delta, { maxLength: 10 }), { maxLength: 5 })

property.prop([batches, fc.array(delta, { maxLength: 5 })], { numRuns: 40 })(
  'removing an agent leaves the totals of a world in which the agent never existed',
  async (folded, pending) => {
    await clearTotals(db)
    for (const batch of folded) await addAndFold(db, batch)
    await addToTotals(db, pending)
    const store = await totalsStoreOf(db)
    await inTransaction(
      db,
      async (tx) => {
        await store.lockFolds(tx)
        await commitEverywhere(tx) // as with the agent's events
        await removeAgentFromTotals(tx, 1, store)
      },
      { isolation: 'repeatable read' },
    )
    await foldTotals(db)
    await beginDay()
    const left = await readAllTotals(db)

    await clearTotals(db)
    await addAndFold(
      db,
      [...folded.flat(), ...pending].filter(({ agent_id }) => agent_id !== 1),
    )
    await beginDay()
    expect(left).toEqual(await readAllTotals(db))
  },
)
