import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fc, test as propertyTest } from '@fast-check/vitest'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { emptyTables, ownLayout, testDatabase } from '../../../test/database.ts'
import { openDatabase } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { movingClock } from '../../lib/clock.ts'
import { foldTotals, rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { deleteAgent } from '../../desk/erase/delete-agent.ts'
import { ensurePartitions, fillPartition } from '../clicks/partitions.queries.ts'
import { type ArchiveStep, archiveClicks } from './archive-clicks.ts'
import { hashFile, readClickFile, writeClickFile } from './click-file.ts'
import { purgeArchives } from './purge-archives.ts'
import { restoreArchive } from './restore-archive.ts'
import { tendArchives } from './schedule.ts'
import { whileNotArchiving } from './archives.ts'
import { forgetReplaced } from './purges.queries.ts'

const database = await testDatabase({ layout: ownLayout() })
const clock = movingClock('2026-05-15T16:00:00Z')
const owner = openDatabase(database.connection, {
  max: 3,
  applicationName: 'test',
  asOwner: true,
  clock,
})
const { db } = owner
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
afterAll(async () => {
  await owner.close()
  await rm(folder, { recursive: true })
})

const services = { db, clickStore: database.clickStore, clock, folder }
const archive = (before: string, atStep?: (step: ArchiveStep) => void) =>
  archiveClicks(services, { before: `${before}-01`, ...(atStep && { atStep }) })

const office = await buildOffice(db)
const other = await buildOffice(db)
const agents = [
  await buildAgent(db, { office_id: office }),
  await buildAgent(db, { office_id: office }),
] as const
const site = await buildSite(db)
const types = await Promise.all([1, 2, 3].map(() => buildLinkType(db, { site_id: site })))

beforeEach(async () => {
  await emptyTables(database.connection, [
    'clicks',
    'click_seals',
    'click_archives',
    'archive_purges',
    'totals_pending',
  ])
  for (const file of await readdir(folder)) await rm(join(folder, file))
  await ensurePartitions(db, clock, { from: '2026-01-01' })
})

const click = (at: string, values: Partial<Parameters<typeof buildClick>[1]> = {}) =>
  buildClick(db, {
    agent_id: agents[0],
    office_id: office,
    type_id: types[0] ?? 0,
    clicked_at: new Date(at),
    ...values,
  })

/** A note, and no sub ids. */
const NOTED = [...Array<null>(5).fill(null), 'page elsewhere'] as string[] // the driver takes nulls in it

/** Clicks of all kinds, on both sides of the month's boundaries in UTC and in New York. */
async function buildClicks(): Promise<void> {
  await click('2026-01-01T03:00:00.001Z', { ip: '2001:db8::1', subs: ['a "b", {c}\\', '', 'é'] })
  await click('2026-01-31T23:59:59.999Z', { referrer_id: 2 ** 52 - 1, user_agent_id: 7 })
  await click('2026-02-01T03:00:00Z', { is_unique: false })
  await click('2026-01-10T12:00:00Z', { uncounted: 'prefetch', ip: '10.0.0.0/24' })
  await click('2026-01-10T12:00:00Z', { uncounted: 'blacklisted', agent_id: agents[1], subs: [] })
  await click('2026-01-10T13:00:00Z', { agent_id: agents[1], office_id: other, subs: NOTED })
  await click('2026-03-05T13:00:00Z', { agent_id: agents[1] })
  await sql`update clicks set subs = array[null, 'x'] where nonce = (select min(nonce) from clicks)`.execute(
    db,
  )
  await rebuildTotals(db)
}

/** All clicks and totals as text, in order. */
async function everything(): Promise<{ clicks: string[]; totals: string[] }> {
  const rowsOf = async (table: string) => {
    const { rows } = await sql<{ row: string }>`
      select row(line.*)::text as row from ${sql.table(table)} as line order by 1
    `.execute(db)
    return rows.map(({ row }) => row)
  }
  return { clicks: await rowsOf('clicks'), totals: await rowsOf('totals_day_agent_type') }
}

test('an archived month’s clicks are in its file, and its totals stay, verify and can be rebuilt', async () => {
  await buildClicks()
  const before = await everything()
  const done = await archive('2026-02')
  expect(done.map(({ month, clicks }) => [month, clicks])).toEqual([['2026-01-01', 5]])
  expect(await readdir(folder)).toEqual(['clicks-2026-01.parquet'])
  expect((await stat(join(folder, 'clicks-2026-01.parquet'))).mode & 0o777).toBe(0o600)

  const after = await everything()
  expect(after.clicks).toHaveLength(2)
  expect(after.totals).toEqual(before.totals)
  expect(await verifyTotals(db)).toEqual([])
  await rebuildTotals(db)
  expect((await everything()).totals).toEqual(before.totals)
  expect(await archive('2026-02')).toEqual([])
})

test('a restored month is identical, and its sums and file are gone', async () => {
  await buildClicks()
  const before = await everything()
  await archive('2026-03')
  await restoreArchive(services, '2026-01-01')
  await restoreArchive(services, '2026-02-01')
  expect(await everything()).toEqual(before)
  expect(await db.selectFrom('click_seals').selectAll().execute()).toEqual([])
  expect(await readdir(folder)).toEqual([])
  expect(await verifyTotals(db)).toEqual([])
  expect(await archive('2026-02')).toHaveLength(1)
})

const clicksOfProperty = fc.array(
  fc.record({
    hour: fc.integer({ min: 0, max: 24 * 62 }),
    agent: fc.constantFrom(...agents),
    office: fc.constantFrom(office, other),
    type: fc.constantFrom(...types),
    counted: fc.boolean(),
    unique: fc.boolean(),
    subs: fc.option(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 })),
  }),
  { minLength: 1, maxLength: 40 },
)

propertyTest.prop([clicksOfProperty], { numRuns: database.layout === 'together' ? 15 : 4 })(
  'whatever the clicks, archiving and restoring change no total and no click',
  async (made) => {
    await emptyTables(database.connection, ['clicks', 'click_seals', 'click_archives'])
    await ensurePartitions(db, clock, { from: '2026-01-01' })
    for (const [nonce, one] of made.entries()) {
      await buildClick(db, {
        agent_id: one.agent,
        office_id: one.office,
        type_id: one.type,
        clicked_at: new Date(Date.UTC(2026, 0, 1) + one.hour * 3_600_000 + nonce),
        uncounted: one.counted ? null : 'headless',
        // Unique clicks get an address of their own.
        is_unique: true,
        ip: `10.${nonce >> 8}.${nonce & 255}.1`,
        subs: one.subs?.map((sub) => sub.replaceAll('\0', '')) ?? null,
        nonce,
      })
    }
    await rebuildTotals(db)
    const before = await everything()
    const archived = await archive('2026-04')
    expect(await verifyTotals(db)).toEqual([])
    await rebuildTotals(db)
    expect((await everything()).totals).toEqual(before.totals)
    for (const { month } of archived) await restoreArchive(services, month)
    expect(await everything()).toEqual(before)
  },
)

test('a month is archived 31 days after its end, not earlier', async () => {
  await click('2026-03-05T13:00:00Z')
  await rebuildTotals(db)
  const atNight = (now: string) => archiveClicks({ ...services, clock: movingClock(now) }, march)
  const march = { before: '2026-04-01' }
  await expect(atNight('2026-05-01T23:59:59Z')).rejects.toThrow('Use --before 2026-03 at most.')
  expect(await atNight('2026-05-02T00:00:00Z')).toHaveLength(1)
})

test('a month whose totals do not verify is not archived', async () => {
  await click('2026-01-10T12:00:00Z')
  await expect(archive('2026-02')).rejects.toThrow('The totals of 2026-01 differ')
  expect(await readdir(folder)).toEqual([])
})

test('a foreign file is not overwritten', async () => {
  await buildClicks()
  const path = join(folder, 'clicks-2026-01.parquet')
  await writeFile(path, 'mine')
  await expect(archive('2026-02')).rejects.toThrow('Move it away.')
  expect(await readFile(path, 'utf8')).toBe('mine')
  expect((await everything()).clicks).toHaveLength(7)
})

test('only one run archives at a time', async () => {
  await buildClicks()
  let [second, scheduled]: unknown[] = []
  await archiveClicks(services, {
    before: '2026-02-01',
    atStep: async (step) => {
      if (step !== 'locked') return
      second = await archive('2026-02').catch((error: unknown) => error)
      scheduled = await tendArchives(services, 3)
    },
  })
  expect(String(second)).toContain('Clicks are being archived by another process')
  expect(scheduled).toEqual([])
})

test('deleting an agent is refused at once while a month is archived, and archiving while one is deleted', async () => {
  await buildClicks()
  const superadmin = viewer({ role: 'superadmin', officeId: undefined, agentId: undefined })
  let refusal: unknown
  await archiveClicks(services, {
    before: '2026-02-01',
    atStep: async (step) => {
      if (step !== 'locked') return
      refusal = await deleteAgent(database, superadmin, agents[1]).catch((error: unknown) => error)
      await foldTotals(db)
    },
  })
  expect(refusal).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 60 })
  expect(String(refusal)).toContain('Old clicks are being archived')

  await restoreArchive(services, '2026-01-01')
  const outcome = await whileNotArchiving(db, async () => {
    await expect(archive('2026-02')).rejects.toThrow('an agent is being deleted')
    await expect(restoreArchive(services, '2026-01-01')).rejects.toThrow('an agent is being')
    expect(await whileNotArchiving(database.db, async () => {})).toBe('done')
  })
  expect(outcome).toBe('done')
  expect(await archive('2026-02')).toHaveLength(1)
})

test('a failed run leaves no file, and the file of a killed one is replaced', async () => {
  await buildClicks()
  for (const failing of ['checked', 'sealed'] as const) {
    const failed = archive('2026-02', (step) => {
      if (step === failing) throw new Error('the disk is gone')
    })
    await expect(failed).rejects.toThrow('the disk is gone')
    expect(await readdir(folder)).toEqual([])
  }
  await archive('2026-02')
  const path = join(folder, 'clicks-2026-01.parquet')
  await copyFile(path, `${path}.copy`)
  await restoreArchive(services, '2026-01-01')
  await copyFile(`${path}.copy`, path)
  await click('2026-01-20T12:00:00Z', { ip: '192.0.2.1' })
  await rebuildTotals(db)
  expect((await archive('2026-02')).map(({ clicks }) => clicks)).toEqual([6])
  expect((await restoreArchive(services, '2026-01-01')).clicks).toBe(6)
})

test('a starting process does not wait for a month that is being restored', async () => {
  const start = () => ensurePartitions(db, clock)
  const restored = inTransaction(db, (tx) =>
    fillPartition(tx, '2025-01-01', {
      place: (table) => database.clickStore.months.place(tx, table),
      fill: async () => {
        await start()
        throw new Error('enough')
      },
    }),
  )
  await expect(restored).rejects.toThrow('enough')
})

test('clicks of a file from before reasons were stored were black-listed', async () => {
  await buildClicks()
  const before = await everything()
  await archive('2026-02')
  const path = join(folder, 'clicks-2026-01.parquet')
  const clicks = (await Array.fromAsync(readClickFile(path))).flat()
  expect(clicks.map(({ uncounted }) => uncounted)).toContain('blacklisted')
  const older = clicks.map((one) =>
    one.uncounted === 'blacklisted' ? { ...one, uncounted: null } : one,
  )
  const { contentSha256 } = await writeClickFile(path, Readable.from([older]))
  await db
    .updateTable('click_archives')
    .set({ ...(await hashFile(path)), content_sha256: contentSha256 })
    .execute()

  await restoreArchive(services, '2026-01-01')
  expect(await everything()).toEqual(before)
})

test('a damaged or missing file restores nothing', async () => {
  await buildClicks()
  await archive('2026-02')
  const path = join(folder, 'clicks-2026-01.parquet')
  const good = await readFile(path)
  const bad = Buffer.from(good)
  bad[40] = (bad[40] ?? 0) ^ 1
  await writeFile(path, bad)
  await expect(restoreArchive(services, '2026-01-01')).rejects.toThrow('damaged')
  await rm(path)
  await expect(restoreArchive(services, '2026-01-01')).rejects.toThrow('missing')
  await expect(restoreArchive(services, '2026-02-01')).rejects.toThrow('2026-02 is not archived.')
  expect(await verifyTotals(db)).toEqual([])
  await writeFile(path, good)
  expect((await restoreArchive(services, '2026-01-01')).clicks).toBe(5)
})

const steps: ArchiveStep[] = ['locked', 'written', 'checked', 'named', 'sealed', 'dropped']

test.each(steps)('a run killed after “%s” has changed nothing, and is repeated', async (step) => {
  await buildClicks()
  const before = await everything()
  const code = `
    const { openDatabase } = await import('${import.meta.resolve('../../db/database.ts')}')
    const { archiveClicks } = await import('${import.meta.resolve('./archive-clicks.ts')}')
    const { movingClock } = await import('${import.meta.resolve('../../lib/clock.ts')}')
    const { findStores } = await import('${import.meta.resolve('../../start/stores.ts')}')
    const { db } = openDatabase(${JSON.stringify(database.connection)}, { max: 2, applicationName: 'killed', asOwner: true })
    await archiveClicks(
      { db, ...(await findStores(db)), clock: movingClock('2026-05-15T16:00:00Z'), folder: ${JSON.stringify(folder)} },
      { before: '2026-02-01', atStep: (step) => { if (step === '${step}') process.kill(process.pid, 'SIGKILL') } },
    )`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  expect(await everything()).toEqual(before)
  expect(await verifyTotals(db)).toEqual([])
  expect(await archive('2026-02')).toHaveLength(1)
  expect(await verifyTotals(db)).toEqual([])
  await restoreArchive(services, '2026-01-01')
  expect(await everything()).toEqual(before)
})

test('clicks that arrive late for an archived month count, and stay when it is restored', async () => {
  await buildClicks()
  await archive('2026-02')
  await click('2026-01-20T12:00:00Z', { ip: '192.0.2.1' })
  await rebuildTotals(db)
  expect(await verifyTotals(db)).toEqual([])
  await restoreArchive(services, '2026-01-01')
  expect((await everything()).clicks).toHaveLength(8)
  expect(await verifyTotals(db)).toEqual([])
})

test('the schedule archives months that are old enough, if enabled', async () => {
  await buildClicks()
  expect(await tendArchives(services, undefined)).toEqual([])
  expect((await tendArchives(services, 3)).map(({ month }) => month)).toEqual(['2026-01-01'])
})

test('a deleted agent is purged from the files, and the others’ clicks can be restored', async () => {
  await buildClicks()
  await archive('2026-02')
  const [kept, deleted] = agents
  await sql`insert into archive_purges values ('2026-01-01', ${deleted})`.execute(db)
  await sql`delete from click_seals where agent_id = ${deleted}`.execute(db)
  expect(await purgeArchives(services)).toBe(1)
  expect(await readdir(folder)).toEqual(['clicks-2026-01.2.parquet'])
  expect(await purgeArchives(services)).toBe(0)
  await restoreArchive(services, '2026-01-01')
  const rows = await db.selectFrom('clicks').select('agent_id').execute()
  expect(rows.filter(({ agent_id }) => agent_id === kept)).toHaveLength(4)
  expect(rows.filter(({ agent_id }) => agent_id === deleted)).toHaveLength(1) // in March
  await foldTotals(db)
})

test('a purge that died before it deleted the old file deletes it next time; a missing file is reported', async () => {
  await buildClicks()
  await archive('2026-03')
  await writeFile(join(folder, 'clicks-2025-12.parquet'), 'old')
  await db
    .updateTable('click_archives')
    .set({ replaced_file: 'clicks-2025-12.parquet' })
    .where('month', '=', '2026-01-01')
    .execute()
  await rm(join(folder, 'clicks-2026-02.parquet'))
  await sql`insert into archive_purges values ('2026-02-01', ${agents[0]})`.execute(db)
  await forgetReplaced(db, '2026-01-01', 'clicks-2026-01.parquet') // from another run
  await expect(purgeArchives(services)).rejects.toThrow(/clicks-2026-02.parquet is missing/)
  expect(await readdir(folder)).toEqual(['clicks-2026-01.parquet'])
})
