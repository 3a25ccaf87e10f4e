import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { verifyWorld } from '../verify-world.ts'
import { testDatabase } from '../database.ts'
import { buildPayWorld } from '../pay-world.ts'
import { testServices } from '../services.ts'
import { until } from '../until.ts'

const database = await testDatabase()
const { db, connection } = database
const owner = openDatabase(connection, { max: 2, applicationName: 'owner', asOwner: true })
afterAll(() => owner.close())

test('kill -9 between bookings and statements leaves nothing half done, and the period closes again', async () => {
  const { sell, close, closer } = await buildPayWorld(testServices(database), { avp: 'instead' })
  for (const name of ['a', 'b']) await sell(name, 'maria', '2026-02-03')
  await sell('c', 'noel', '2026-02-04', { plain: true })

  // Closing books its events, then waits for this lock before it can write a statement.
  await inTransaction(owner.db, async (tx) => {
    await sql`lock table statements in share mode`.execute(tx)
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'close-period-child.ts'),
        connection.url,
        '2026-02-A',
        String(closer),
        '2026-02-16T15:00:00Z',
      ],
      { stdio: 'ignore' },
    )
    const exited = once(child, 'exit')
    await until(async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (
          select from pg_locks where relation = 'statements'::regclass and not granted
        ) as waits
      `.execute(tx)
      return rows[0]?.waits === true
    })
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
  })

  await until(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where application_name = 'closing' and datname = current_database()
    `.execute(owner.db)
    return rows.length === 0
  })
  for (const table of ['bookings', 'pay_periods', 'statements', 'balance_entries'] as const) {
    expect(
      await db
        .selectFrom(table)
        .select(sql`1`.as('row'))
        .execute(),
    ).toEqual([])
  }
  expect(await close('2026-02-A', '2026-02-16')).toMatchObject({ statements: 2, events: 3 })
  expect((await verifyWorld(db)).findings).toEqual([])
})
