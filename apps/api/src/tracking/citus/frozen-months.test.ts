import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { openDatabase } from '../../db/database.ts'
import { systemClock } from '../../lib/clock.ts'
import { ensurePartitions } from '../clicks/partitions.queries.ts'
import { whileFrozen } from './frozen-months.ts'

const { connection } = await testDatabase({ layout: 'together' })
const owner = openDatabase(connection, { max: 3, applicationName: 'test', asOwner: true })
afterAll(() => owner.close())

test('what failed while a month was frozen is said, even if it cannot be thawed either', async () => {
  const { db } = owner
  await ensurePartitions(db, systemClock, { from: '2026-01-01', to: '2026-01-01' })
  const failed = whileFrozen(db, '2026-01-01', async () => {
    // Under its new name, the month is not found.
    await sql`alter table clicks_2026_01 rename to clicks_elsewhere`.execute(db)
    throw new Error('the disk is full')
  })
  await expect(failed).rejects.toThrow('the disk is full')
})
