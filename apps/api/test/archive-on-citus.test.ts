import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { distribute } from '../src/db/citus/distribute.ts'
import { isDistributed } from '../src/db/citus/layout.ts'
import { findStores } from '../src/start/stores.ts'
import type { Connection } from '../src/db/connection.ts'
import { type Db, openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { deleteAgent } from '../src/desk/erase/delete-agent.ts'
import { archiveClicks } from '../src/tracking/archive/archive-clicks.ts'
import { mayBeDue, tendArchives } from '../src/tracking/archive/schedule.ts'
import { purgeArchives } from '../src/tracking/archive/purge-archives.ts'
import { restoreArchive } from '../src/tracking/archive/restore-archive.ts'
import { openClickSession } from '../src/tracking/clicks/click-lanes.ts'
import { openSpool } from '../src/tracking/clicks/click-spool.ts'
import { startKnownTexts } from '../src/tracking/clicks/clicks-to-store.ts'
import type { Click } from '../src/tracking/clicks/click.ts'
import { ensurePartitions } from '../src/tracking/clicks/partitions.queries.ts'
import { loadSpool } from '../src/tracking/clicks/load-spool.ts'
import { movingClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log/log.ts'
import { foldTotals, rebuildTotals, verifyTotals } from '../src/totals/index.ts'
import { buildAgent, buildClick, buildLinkType, buildOffice, buildSite } from './build-world.ts'
import { viewer } from './call-routes.ts'
import { createCitusDatabase, createTestDatabase } from './database.ts'

const clock = movingClock('2026-05-15T16:00:00Z')
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** An archive folder and the owner's rights to a database. */
async function archivesOf(connection: Connection) {
  const owner = openDatabase(connection, {
    max: 2,
    applicationName: 'tallyroom cli',
    asOwner: true,
    clock,
  })
  onTestFinished(() => owner.close())
  const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
  folders.push(folder)
  return { ...(await findStores(owner.db)), db: owner.db, clock, folder }
}

async function distributed() {
  const database = await createTestDatabase({ layout: 'distributed' })
  onTestFinished(() => database.close())
  const archives = await archivesOf(database.connection)
  return { ...archives, app: database.db, connection: database.connection }
}

/** Twelve agents of two offices, with clicks on both sides of January's boundaries, and their totals. */
async function buildClicks(db: Db) {
  await ensurePartitions(db, clock, { from: '2026-01-01' })
  const offices = [await buildOffice(db), await buildOffice(db)]
  const site_id = await buildSite(db)
  const type_id = await buildLinkType(db, { site_id })
  const agents: number[] = []
  for (let place = 0; place < 12; place++) {
    const office_id = offices[place % 2] ?? 0
    agents.push(await buildAgent(db, { office_id }))
  }
  const times = ['2026-01-01T03:00:00.001Z', '2026-01-31T23:59:59.999Z', '2026-02-01T03:00:00Z']
  for (const [place, agent_id] of agents.entries()) {
    for (const [nonce, at] of times.entries()) {
      await buildClick(db, {
        agent_id,
        office_id: offices[place % 2] ?? 0,
        site_id,
        type_id,
        clicked_at: new Date(at),
        nonce,
        uncounted: nonce < 2 || place % 3 > 0 ? null : 'blacklisted',
        ip: `192.0.2.${nonce}`,
        subs: ['a "b"', `${place}`],
      })
    }
  }
  await rebuildTotals(db)
  const click = (agentId: number): Click => ({
    clickedAtMs: Date.parse('2026-01-20T12:00:00Z'),
    nonce: 7,
    agentId,
    officeId: offices[0] ?? 0,
    siteId: site_id,
    typeId: type_id,
    ip: '192.0.2.200',
    visitor: '192.0.2.200',
  })
  return { agents, click }
}

async function rowsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select row(line.*)::text as row from ${sql.table(table)} as line order by 1
  `.execute(db)
  return rows.map(({ row }) => row)
}

const superadmin = viewer({ role: 'superadmin', officeId: undefined, agentId: undefined })

describe.runIf(inject('testServer').isCitus)('clicks of a distributed database', () => {
  test('are archived from all shards, lose a deleted agent, and are restored distributed', async () => {
    const { app, ...archives } = await distributed()
    const { db, folder } = archives
    const { agents } = await buildClicks(db)
    const before = await rowsOf(db, 'clicks')
    const totals = await rowsOf(db, 'totals_day_agent_type')

    const archived = await archiveClicks(archives, { before: '2026-02-01' })
    expect(archived.map(({ month, clicks }) => [month, clicks])).toEqual([['2026-01-01', 24]])
    expect(await rowsOf(db, 'clicks')).toHaveLength(12)
    expect(await rowsOf(db, 'totals_day_agent_type')).toEqual(totals)
    expect(await verifyTotals(db)).toEqual([])

    const [deleted = 0] = agents
    await deleteAgent({ ...archives, db: app }, superadmin, deleted)
    expect(await verifyTotals(db)).toEqual([])
    await rebuildTotals(db)
    const left = await rowsOf(db, 'totals_day_agent_type')
    expect(left.length).toBeLessThan(totals.length)
    expect(left).toEqual(totals.filter((row) => left.includes(row)))
    expect(await purgeArchives(archives)).toBe(1)
    expect(await readdir(folder)).toEqual(['clicks-2026-01.2.parquet'])

    expect((await restoreArchive(archives, '2026-01-01')).clicks).toBe(22)
    const rows = await rowsOf(db, 'clicks')
    expect(rows).toHaveLength(33)
    expect(rows).toEqual(before.filter((row) => rows.includes(row)))
    expect(await rowsOf(db, 'click_seals')).toEqual([])
    expect(await verifyTotals(db)).toEqual([])
    expect(await placesOf(db, 'clicks_2026_01')).toBeGreaterThan(1)
  })

  test('can be archived before they are distributed', async () => {
    const { connection, close } = await createCitusDatabase()
    onTestFinished(close)
    await migrate(connection, silentLog)
    const archives = await archivesOf(connection)
    const { db } = archives
    await buildClicks(db)
    const before = await rowsOf(db, 'clicks')
    await archiveClicks(archives, { before: '2026-02-01' })

    expect(await distribute(db)).toEqual(expect.arrayContaining(['clicks', 'click_seals']))
    expect(await verifyTotals(db)).toEqual([])
    await rebuildTotals(db)
    expect(await verifyTotals(db)).toEqual([])
    await restoreArchive(archives, '2026-01-01')
    expect(await rowsOf(db, 'clicks')).toEqual(before)
    expect(await placesOf(db, 'clicks_2026_01')).toBeGreaterThan(1)
  })

  test('that come late for a month that is being archived wait in the spool; others do not', async () => {
    const { app, connection, ...archives } = await distributed()
    const { db } = archives
    const { agents, click } = await buildClicks(db)
    const spoolFolder = await mkdtemp(join(tmpdir(), 'tallyroom-spool-'))
    folders.push(spoolFolder)
    const spool = openSpool(spoolFolder)
    const load = () =>
      loadSpool({
        spool,
        openSession: () => openClickSession(connection, 5_000),
        store: { ...archives, known: startKnownTexts() },
        clock,
        log: silentLog,
      })
    const [agent = 0] = agents
    const today = clock.peek().getTime()
    await spool.append(click(agent))
    await spool.append({ ...click(agent), clickedAtMs: today })
    await spool.release()
    await spool.append({ ...click(agent), clickedAtMs: today + 1 })
    await spool.release()

    await archiveClicks(archives, {
      before: '2026-02-01',
      atStep: async (step) => {
        if (step !== 'locked') return
        await expect(load()).rejects.toThrow('clicks_2026_01__frozen')
        // Today's clicks are stored, of the same file and of the next; the late one is not lost.
        expect(
          await app.selectFrom('clicks').select('nonce').where('nonce', '=', 7).execute(),
        ).toHaveLength(2)
        expect(await readdir(spoolFolder)).toHaveLength(1)
      },
    })
    await load()
    expect(await readdir(spoolFolder)).toEqual([])
    await foldTotals(db)
    expect(await verifyTotals(db)).toEqual([])
    expect((await restoreArchive(archives, '2026-01-01')).clicks).toBe(24)
    expect(await rowsOf(db, 'clicks')).toHaveLength(39)
    expect(await verifyTotals(db)).toEqual([])
  })

  test.each([
    ['there are none', undefined],
    ['their totals are wrong', 'The totals of 2026-01 differ'],
  ])('are not frozen if %s', async (_, refusal) => {
    const { app, ...archives } = await distributed()
    const { db } = archives
    await ensurePartitions(db, clock, { from: '2026-01-01' })
    if (refusal) {
      await buildClicks(db)
      await sql`update totals_day_agent_type set raws = raws + 1`.execute(db)
    }
    // Whoever wants to freeze the month waits for this.
    await app.transaction().execute(async (tx) => {
      await sql`lock table clicks_2026_01 in access share mode`.execute(tx)
      const archiving = archiveClicks(archives, { before: '2026-02-01' })
      if (refusal) await expect(archiving).rejects.toThrow(refusal)
      else expect(await archiving).toEqual([])
    })
  })

  test('are accepted for a month again after a run that died', async () => {
    const archives = await distributed()
    const { db } = archives
    await buildClicks(db)
    await sql`alter table clicks_2026_01 add constraint clicks_2026_01__frozen check (false) not valid`.execute(
      db,
    )
    expect(await mayBeDue(archives, undefined)).toBe(true)
    expect(await tendArchives(archives, undefined)).toEqual([])
    expect(await mayBeDue(archives, undefined)).toBe(false)
    await sql`insert into clicks select * from clicks_2026_01 where false`.execute(db)
    await sql`update clicks set subs = null`.execute(db)
  })

  test('are not archived while their sums would stay on the coordinator', async () => {
    const archives = await distributed()
    await sql`select undistribute_table('click_seals')`.execute(archives.db)
    const failed = archiveClicks(archives, { before: '2026-02-01' })
    await expect(failed).rejects.toThrow('run db distribute first')
    await distribute(archives.db)
    expect(await isDistributed(archives.db, 'click_seals')).toBe(true)
  })
})

/** The number of a table's shards that have rows. */
async function placesOf(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ result: string }>`
    select result from run_command_on_shards(${table}::regclass, 'select count(*) from %s')
  `.execute(db)
  return rows.filter(({ result }) => Number(result) > 0).length
}
