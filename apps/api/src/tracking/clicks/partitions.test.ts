import { addDays, addMonths, monthOf, todayNewYork } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, testDatabase } from '../../../test/database.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { errorCode } from '../../db/transaction.ts'
import { movingClock } from '../../lib/clock.ts'
import { visitorOf } from '../../lib/net/ip-address.ts'
import { silentLog } from '../../lib/log/log.ts'
import { openClickSession } from './click-lanes.ts'
import { batchOf, startKnownTexts } from './clicks-to-store.ts'
import { storeClicks } from './clicks.queries.ts'
import { ensurePartitions, forgetOldVisitors } from './partitions.queries.ts'
import { storesOnOneServer } from '../stores.ts'
import { recallVisitors } from './recall-visitors.queries.ts'

const database = await testDatabase()
const { db, connection } = database
const owner = openDatabase(connection, { max: 4, applicationName: 'test', asOwner: true })
afterAll(() => owner.close())
const clock = movingClock('2026-11-01T03:00:00Z') // still October in New York

const distributed = await testDatabase({ layout: 'distributed' })
const distributedOwner = openDatabase(distributed.connection, {
  max: 4,
  applicationName: 'test',
  asOwner: true,
})
afterAll(() => distributedOwner.close())

async function partitions() {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name
    from pg_inherits
    where inhparent in ('clicks'::regclass, 'seen_visitors'::regclass)
    order by 1
  `.execute(db)
  return rows.map(({ name }) => name)
}

async function insertClick(clickedAt: string, nonce: number, to = db) {
  await sql`
    insert into clicks (clicked_at, agent_id, type_id, office_id, nonce, is_unique, ip)
    values (${clickedAt}, 1, 1, 1, ${nonce}, true, '192.0.2.1')
  `.execute(to)
}

test('partitions are created three months ahead, once, by whichever process', async () => {
  await insertClick('2026-10-31T23:59:59.999Z', 1)
  await insertClick('2026-11-01T00:00:00Z', 2)
  await Promise.all([1, 2, 3].map(() => ensurePartitions(owner.db, clock)))
  await ensurePartitions(owner.db, clock)
  expect(await partitions()).toEqual([
    'clicks_2026_10',
    'clicks_2026_11',
    'clicks_2026_12',
    'clicks_2027_01',
    'clicks_default',
    'seen_visitors_2026_10',
    'seen_visitors_2026_11',
    'seen_visitors_2026_12',
    'seen_visitors_2027_01',
    'seen_visitors_default',
  ])
})

const whereClicksAre = async (of: typeof db) => {
  const { rows } = await sql<{ partition: string; nonce: number }>`
      select tableoid::regclass::text as partition, nonce from clicks order by nonce
    `.execute(of)
  // Citus returns the names of shards, which end in a number.
  return rows.map((row) => ({ ...row, partition: row.partition.replace(/_\d{6,}$/, '') }))
}

test('clicks that came before their partition existed are moved there', async () => {
  expect(await whereClicksAre(db)).toEqual([
    { partition: 'clicks_2026_10', nonce: 1 },
    { partition: 'clicks_2026_11', nonce: 2 },
  ])
})

test('on a distributed database, too, including those that arrive meanwhile', async () => {
  await insertClick('2026-10-31T23:59:59.999Z', 1, distributed.db)
  await insertClick('2025-01-01T00:00:00Z', 2, distributed.db)
  // A click that is on its way to the default partition while its own partition is attached is
  // refused. The recorder spools it and stores it again.
  const add = (nonce: number) => insertClick('2026-11-15T00:00:00Z', nonce, distributed.db)
  const addAgain = (nonce: number) => (error: unknown) => {
    expect(errorCode(error)).toBe('23514')
    return add(nonce)
  }
  await Promise.all([
    ensurePartitions(distributedOwner.db, clock),
    ...[3, 4, 5, 6].map((nonce) => add(nonce).catch(addAgain(nonce))),
  ])
  expect(await whereClicksAre(distributed.db)).toEqual([
    { partition: 'clicks_2026_10', nonce: 1 },
    { partition: 'clicks_default', nonce: 2 },
    ...[3, 4, 5, 6].map((nonce) => ({ partition: 'clicks_2026_11', nonce })),
  ])
})

test('a partition is left for later while a shard moves, so that no click queues behind it', async () => {
  const month = '2031-05-01'
  const ensure = () => ensurePartitions(owner.db, clock, { from: month, to: month })
  const isMade = async () => (await partitions()).includes('clicks_2031_05')
  await owner.db.transaction().execute(async (mover) => {
    // As Citus locks all tables that move.
    await sql`lock table clicks, clicks_default in share update exclusive mode`.execute(mover)
    const ensured = ensure()
    await insertClick('2031-05-02T12:00:00Z', 1)
    await ensured
  })
  expect(await isMade()).toBe(false)
  await ensure()
  expect(await isMade()).toBe(true)
})

test('partitions of a past range are created for loading history', async () => {
  await ensurePartitions(owner.db, clock, { from: '2025-12-31', to: '2026-01-01' })
  expect(await partitions()).toEqual(expect.arrayContaining(['clicks_2025_12', 'clicks_2026_01']))
})

test('visitors are forgotten after two days, and whole months without making readers wait', async () => {
  await ensurePartitions(owner.db, clock, { from: '2026-05-01', to: '2026-07-01' })
  const days = ['2024-02-29', '2026-05-31', '2026-09-30', '2026-10-28', '2026-10-29', '2026-10-31']
  for (const day of days) {
    await sql`insert into seen_visitors values (${day}, 1, '\\x01c0000201')`.execute(owner.db)
  }
  const kept = async () => {
    const { rows } = await sql<{ day: string }>`select day from seen_visitors order by day`.execute(
      db,
    )
    return rows.map(({ day }) => day)
  }
  const reader = await db.startTransaction().execute()
  await sql`select 1 from seen_visitors`.execute(reader)
  await forgetOldVisitors(owner.db, clock)
  expect(await kept()).toEqual(days)
  await reader.rollback().execute()

  await Promise.all([forgetOldVisitors(owner.db, clock), forgetOldVisitors(owner.db, clock)])
  await forgetOldVisitors(owner.db, clock)
  expect(await kept()).toEqual(['2026-10-29', '2026-10-31'])
  const names = await partitions()
  expect(names.find((name) => name.startsWith('seen_visitors'))).toBe('seen_visitors_2026_10')
  expect(names).toContain('clicks_2026_05')
})

test('a clock that is days ahead forgets nobody of today', async () => {
  const today = todayNewYork(new Date())
  await sql`insert into seen_visitors values (${today}, 1, '\\x01c0000201')`.execute(owner.db)
  await forgetOldVisitors(owner.db, movingClock('2099-01-01T12:00:00Z'))
  const { rows } = await sql`select day from seen_visitors where day = ${today}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('no day is forgotten between the recall of its visitors and the commit of their clicks', async () => {
  const [day, ip] = ['2026-10-01', '192.0.2.1']
  await sql`insert into seen_visitors values (${day}, 1, '\\x01c0000201')`.execute(owner.db)
  const session = await openClickSession(connection, 10_000)
  onTestFinished(() => session.end())
  const visit = { agentId: 1, officeId: 1, siteId: 1, typeId: 1, ip, visitor: ip, nonce: 1 }
  const clickedAtMs = Date.parse(`${day}T12:00:00Z`)
  await session.query('begin')
  await recallVisitors(session, batchOf([{ ...visit, clickedAtMs }], startKnownTexts()))
  const forgetting = forgetOldVisitors(owner.db, clock)
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted
    `.execute(owner.db)
    expect(rows).toHaveLength(1)
  }, 60_000)
  const { rows: kept } = await session.query('select 1 from seen_visitors where day = $1', [day])
  expect(kept).toHaveLength(1)
  await session.query('commit')
  await forgetting
  const { rows: left } = await session.query('select 1 from seen_visitors where day = $1', [day])
  expect(left).toEqual([])
})

test('the app can insert into a partition, but change and delete nothing', async () => {
  await insertClick('2026-12-24T12:00:00Z', 3)
  for (const table of ['clicks', 'clicks_2026_12']) {
    const refused = await sql`update ${sql.table(table)} set is_unique = false`
      .execute(db)
      .catch((error: unknown) => error)
    expect(errorCode(refused)).toBe('42501')
    // On a cluster, the app's role itself deletes the events of deleted agents.
    if (database.layout === 'distributed') continue
    const kept = await sql`delete from ${sql.table(table)}`
      .execute(db)
      .catch((error: unknown) => error)
    expect(errorCode(kept)).toBe('42501')
  }
})

test('keys of partitions have our names', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where contype = 'p' and conrelid in ('clicks_2026_12'::regclass, 'seen_visitors_2026_12'::regclass)
    order by 1
  `.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(['clicks_2026_12__pk', 'seen_visitors_2026_12__pk'])
})

test('visitors that still matter are known after the migration that shrinks their table', async () => {
  const { connection: older, close } = await createTestDatabase({ schema: false })
  onTestFinished(close)
  await migrate(older, silentLog, { upTo: '0060_click_archives' })
  const old = openDatabase(older, { max: 2, applicationName: 'test', asOwner: true })
  const now = new Date()
  const [today, month] = [todayNewYork(now), monthOf(todayNewYork(now))]
  const ofMonth = `seen_visitors_${month.slice(0, 7).replace('-', '_')}`
  await ensurePartitions(old.db, movingClock(now.toISOString()))
  const seen = [
    [today, 300, '192.0.2.1'],
    [today, 1, '2001:db8::/64'],
    [today, 1, '2001:db8::7'], // from the time when visitors were single addresses
    [addMonths(month, -3), 2, '192.0.2.2'],
    [addDays(addMonths(month, -3), -1), 2, '192.0.2.2'],
  ] as const
  for (const [day, typeId, ip] of seen)
    await sql`insert into seen_visitors values (${day}, 1, ${typeId}, ${ip})`.execute(old.db)
  await old.close()

  await migrate(older, silentLog)
  const newer = openDatabase(older, { max: 2, applicationName: 'test', asOwner: true })
  onTestFinished(newer.close)
  const { rows } = await sql<{ mark: string; partition: string }>`
    select encode(visitor, 'hex') as mark, tableoid::regclass::text as partition from seen_visitors order by mark
  `.execute(newer.db)
  expect(rows).toEqual([
    { mark: '0120010db800000000', partition: ofMonth },
    { mark: '012cc0000201', partition: ofMonth },
    { mark: '02c0000202', partition: 'seen_visitors_default' },
  ])
  await ensurePartitions(newer.db, movingClock(now.toISOString()))

  const session = await openClickSession(older, 10_000)
  onTestFinished(() => session.end())
  const visits = [
    ['192.0.2.1', 300],
    ['192.0.2.1', 301],
    ['2001:db8::8', 1],
    ['2001:db8:0:1::8', 1],
  ] as const
  const clicks = visits.map(([ip, typeId], nonce) => ({
    clickedAtMs: now.getTime(),
    nonce,
    agentId: 1,
    officeId: 1,
    siteId: 1,
    typeId,
    ip,
    visitor: visitorOf(ip),
  }))
  await storeClicks(session, 'new', clicks, { ...storesOnOneServer, known: startKnownTexts() })
  const stored = await newer.db.selectFrom('clicks').select('is_unique').orderBy('nonce').execute()
  expect(stored.map(({ is_unique }) => is_unique)).toEqual([false, true, false, true])
})

test('after the migration, every partition has the key that begins with the time, as unique as before', async () => {
  const { connection: older, close } = await createTestDatabase({ schema: false })
  onTestFinished(close)
  await migrate(older, silentLog, { upTo: '0061_slim_visitors' })
  const now = new Date('2026-11-20T12:00:00Z')
  const old = openDatabase(older, { max: 2, applicationName: 'test', asOwner: true })
  await ensurePartitions(old.db, movingClock(now.toISOString()))
  const times = [now, new Date('2024-02-29T12:00:00Z')]
  for (const [place, at] of times.entries())
    await sql`
      insert into clicks (clicked_at, agent_id, type_id, site_id, office_id, nonce, is_unique, counted, ip)
      values (${at}, 1, 1, 1, 1, 7, ${place === 0}, ${place === 0}, '192.0.2.1')
    `.execute(old.db)
  await old.close()

  await migrate(older, silentLog)
  const click = { agentId: 1, officeId: 1, siteId: 1, typeId: 1, nonce: 7, ip: '192.0.2.1' }
  const clicks = times.map((at) => ({ ...click, clickedAtMs: at.getTime(), visitor: click.ip }))
  const store = async (kind: 'new' | 'again') => {
    const session = await openClickSession(older, 10_000)
    try {
      for (const each of clicks)
        await storeClicks(session, kind, [each], { ...storesOnOneServer, known: startKnownTexts() })
    } finally {
      await session.end()
    }
  }
  const newer = openDatabase(older, { max: 2, applicationName: 'test', asOwner: true })
  onTestFinished(newer.close)
  await ensurePartitions(newer.db, movingClock('2027-02-01T12:00:00Z')) // new partitions have the key, too
  const { rows: keys } = await sql<{ key: string; partitions: number }>`
    select pg_get_constraintdef(oid) as key, count(*) as partitions
    from pg_constraint
    where contype = 'p'
      and (conrelid = 'clicks'::regclass or conrelid in (select inhrelid from pg_inherits where inhparent = 'clicks'::regclass))
    group by key
  `.execute(newer.db)
  expect(keys).toEqual([
    { key: 'PRIMARY KEY (clicked_at, agent_id, nonce)', partitions: 1 + 1 + 7 },
  ])
  await expect(store('new')).rejects.toMatchObject({ code: '23505' })
  await store('again')
  // Black-listed was once the only reason, and not stored.
  expect(
    await newer.db.selectFrom('clicks').select('uncounted').orderBy('clicked_at').execute(),
  ).toEqual([{ uncounted: 'blacklisted' }, { uncounted: null }])
})
