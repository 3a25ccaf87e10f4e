import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import {
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../test/build-world.ts'
import { ownLayout, testDatabase } from '../../test/database.ts'
import { testServices } from '../../test/services.ts'
import { elsewhere } from '../../test/test-clock.ts'
import { openDatabase } from '../db/database.ts'
import { findArchives } from '../tracking/archive/archives.queries.ts'
import { findFrozen } from '../tracking/citus/frozen-months.queries.ts'
import { storesOnCluster } from '../tracking/citus/stores.ts'
import { ensurePartitions } from '../tracking/clicks/partitions.queries.ts'
import { systemClock } from '../lib/clock.ts'
import { rebuildTotals } from '../totals/index.ts'
import { archiveInChild } from './archive-in-child.ts'
import { startRecurringTasks } from './recurring-tasks.ts'

const database = await testDatabase({ layout: ownLayout() })
const owner = openDatabase(database.connection, {
  max: 2,
  applicationName: 'test',
  asOwner: true,
})
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
afterAll(async () => {
  await owner.close()
  await rm(folder, { recursive: true })
})

test('old months are archived in a child process, which ends when the app stops', async () => {
  const said: object[] = []
  const services = testServices(database, {
    environment: { ARCHIVE_DIR: folder, ARCHIVE_AFTER_MONTHS: '2' },
  })
  services.log = { ...services.log, info: (fields: object | string) => said.push(Object(fields)) }
  await ensurePartitions(owner.db, services.clock, { from: '2025-11-01', to: '2025-11-01' })
  const office = await buildOffice(owner.db)
  await buildClick(owner.db, {
    agent_id: await buildAgent(owner.db, { office_id: office }),
    office_id: office,
    type_id: await buildLinkType(owner.db, { site_id: await buildSite(owner.db) }),
    clicked_at: new Date('2025-11-10T12:00:00Z'),
  })
  // Its totals do not verify yet.
  await expect(archiveInChild(services, owner.db, new AbortController().signal)).rejects.toThrow(
    'The totals of 2025-11 differ',
  )
  await rebuildTotals(owner.db)

  const stopping = new AbortController()
  await owner.db.transaction().execute(async (tx) => {
    await sql`lock table clicks_2025_11 in exclusive mode`.execute(tx)
    const running = elsewhere(() => archiveInChild(services, database.db, stopping.signal))
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
    stopping.abort()
    await running
  })
  expect([await findArchives(owner.db), await readdir(folder)]).toEqual([[], []])

  await archiveInChild(services, owner.db, new AbortController().signal)
  expect((await findArchives(owner.db)).map(({ month }) => month)).toEqual(['2025-11-01'])
  expect(await readdir(folder)).toEqual(['clicks-2025-11.parquet'])
  expect(said).toEqual([{ month: expect.stringContaining('2025-11: 1 clicks in') }])
})

test('a month that a killed run left frozen accepts clicks soon after the app starts', async () => {
  await ensurePartitions(owner.db, systemClock, { from: '2025-10-01', to: '2025-10-01' })
  await sql`alter table clicks_2025_10 add constraint clicks_2025_10__frozen check (false) not valid`.execute(
    owner.db,
  )
  const services = { ...testServices(database), ...storesOnCluster }
  const tasks = startRecurringTasks(services, owner.db)
  onTestFinished(() => tasks.stop())
  await expect.poll(() => findFrozen(owner.db), { timeout: 60_000 }).toEqual([])
})

/** How many processes of the command wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'tallyroom cli' and wait_event_type = 'Lock'
  `.execute(owner.db)
  return rows.length
}
