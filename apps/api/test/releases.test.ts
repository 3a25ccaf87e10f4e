import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { verifyAuditLog } from '../src/desk/common-logs/verify-audit-log.ts'
import { restore } from '../src/operate/backup/restore.ts'
import { verifyPay } from '../src/pay/verify/verify-pay.ts'
import { movingClock } from '../src/lib/clock.ts'
import { verifyTotals } from '../src/totals/index.ts'
import { createTestDatabase } from './database.ts'

/** Demo networks with most clicks and sales removed: the backup and the key file that each release made. */
const folder = join(import.meta.dirname, 'releases')
const clock = movingClock('2026-12-01T15:00:00Z')
test.each(await readdir(folder))(
  'what a release stored survives the upgrade: %s',
  async (release) => {
    const empty = await createTestDatabase({ schema: false })
    const owner = openDatabase(empty.connection, {
      max: 2,
      applicationName: 'test',
      asOwner: true,
      clock,
    })
    onTestFinished(async () => {
      await owner.close()
      await empty.close()
    })
    const database = { ...empty, ...owner, clock }

    const { rows } = await restore(database, join(folder, release, 'backup'))

    expect(rows).toBeGreaterThan(10_000)
    expect(await verifyTotals(owner.db)).toEqual([])
    const pay = await verifyPay(owner.db)
    expect(pay.findings).toEqual([])
    expect(pay).toMatchObject({ periods: 2, statements: 12 })
    expect((await verifyAuditLog(owner.db)).broken).toBeUndefined()
    const { rows: accounts } = await sql<{ username: string }>`
    select username from accounts where username in ('superadmin', 'manila', 'maria') order by 1
  `.execute(owner.db)
    expect(accounts.map(({ username }) => username)).toEqual(['manila', 'maria', 'superadmin'])
  },
)
