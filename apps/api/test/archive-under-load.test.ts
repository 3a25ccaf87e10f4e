import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { archiveClicks } from '../src/tracking/archive/archive-clicks.ts'
import { openClickSession } from '../src/tracking/clicks/click-lanes.ts'
import { storeClicks } from '../src/tracking/clicks/clicks.queries.ts'
import { startKnownTexts } from '../src/tracking/clicks/clicks-to-store.ts'
import type { Click } from '../src/tracking/clicks/click.ts'
import { ensurePartitions } from '../src/tracking/clicks/partitions.queries.ts'
import { movingClock } from '../src/lib/clock.ts'
import { foldTotals, verifyTotals } from '../src/totals/index.ts'
import { buildLinkType, buildSite } from './build-world.ts'
import { ownLayout, testDatabase } from './database.ts'

const database = await testDatabase({ layout: ownLayout() })
const clock = movingClock('2026-05-15T16:00:00Z')
const owner = openDatabase(database.connection, {
  max: 3,
  applicationName: 'test archive',
  asOwner: true,
  clock,
})
const typeId = await buildLinkType(owner.db, { site_id: await buildSite(owner.db) })
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
afterAll(async () => {
  await owner.close()
  await rm(folder, { recursive: true })
})

test('clicks continue and none is lost while a month that is being read is dropped', async () => {
  await ensurePartitions(owner.db, clock, { from: '2026-01-01' })
  // Like the app's own sessions, it refuses a batch that would have to wait long.
  const session = await openClickSession(database.connection, 5_000)
  const known = startKnownTexts()
  const store = (click: Click) => storeClicks(session, 'new', [click], { ...database, known })
  await store(clickAt(Date.parse('2026-01-20T12:00:00Z'), 0))
  await foldTotals(database.db)
  const reader = await database.db.startTransaction().execute()
  await sql`select count(*) from clicks`.execute(reader)

  let stored = 0
  let isOver = false
  onTestFinished(async () => {
    isOver = true
    if (!reader.isRolledBack) await reader.rollback().execute()
    await session.end()
  })
  const visitors = (async () => {
    for (; !isOver; stored++) await store(clickAt(clock.peek().getTime(), stored))
  })()
  const archived = archiveClicks(
    { ...database, db: owner.db, clock, folder },
    { before: '2026-02-01' },
  )
  await vi.waitFor(async () => expect(await isDropWaiting()).toBe(true), 60_000)
  const before = stored
  await vi.waitFor(() => expect(stored).toBeGreaterThan(before + 20), 60_000)
  await reader.rollback().execute()
  expect(await archived).toMatchObject([{ clicks: 1 }])
  isOver = true
  await visitors

  const { rows } = await sql`select count(*) as count from clicks`.execute(database.db)
  expect(rows).toEqual([{ count: stored }])
  await foldTotals(database.db)
  expect(await verifyTotals(owner.db)).toEqual([])
})

const clickAt = (clickedAtMs: number, nonce: number): Click => ({
  clickedAtMs,
  nonce,
  agentId: 1,
  officeId: 1,
  siteId: 1,
  typeId,
  ip: '192.0.2.1',
  visitor: '192.0.2.1',
})

/** The drop, and on Citus freezing the month, waits for running reads, and all later statements queue behind it. */
async function isDropWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~* '^(drop|alter) table'
  `.execute(owner.db)
  return rows.length > 0
}
