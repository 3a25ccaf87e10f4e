import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as propertyTest } from '@fast-check/vitest'
import { dayOf } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UNCOUNTED } from '@tallyroom/contract/desk/click-logs'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts'
import { until } from '../../../test/until.ts'
import { openDatabase } from '../../db/database.ts'
import { visitorOf } from '../../lib/net/ip-address.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log/log.ts'
import { type ClickRecorder, startRecorder } from './click-batch.ts'
import { startNonces } from './click-id-signer.ts'
import type { Click } from './click.ts'
import { openClickSession } from './click-lanes.ts'
import { openSpool } from './click-spool.ts'
import { startKnownTexts } from './clicks-to-store.ts'
import { storeClicks } from './clicks.queries.ts'

const { db, connection, layout, clickStore } = await testDatabase()
const nextNonce = startNonces()

let proxy: DatabaseProxy
let folder: string
let running: ClickRecorder | undefined

beforeEach(async () => {
  await emptyTables(connection, ['clicks', 'seen_visitors', 'totals_pending', 'referrers'])
  folder = await mkdtemp(join(tmpdir(), 'tallyroom-spool-'))
  proxy = await startDatabaseProxy(connection)
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await proxy.close()
  await rm(folder, { recursive: true })
})

/** Long timeouts, so that a busy machine does not spool clicks. */
function start({
  spoolFolder = folder,
  longestBatchMs = 60_000,
  log = silentLog,
} = {}): ClickRecorder {
  running = startRecorder({
    connection: proxy.connection,
    clickStore,
    spool: openSpool(spoolFolder),
    nextNonce,
    clock: systemClock,
    log,
    longestBatchMs,
  })
  return running
}

/**
 * Click number `number` of these tests' history: same agent and link type, a different visitor
 * each.
 */
const click = (number: number, values: Partial<Click> = {}): Click => {
  const ip = values.ip ?? `10.0.${number >> 8}.${number & 255}`
  return {
    clickedAtMs: Date.parse('2026-06-01T12:00:00Z') + number,
    nonce: nextNonce(),
    siteId: 1,
    typeId: 2,
    agentId: 3,
    officeId: 4,
    ip,
    visitor: visitorOf(ip),
    ...values,
  }
}

const clicks = (count: number) => Array.from({ length: count }, (_, number) => click(number))

async function stored() {
  const { rows } = await sql<{ clicks: number; uniques: number; raws: number; seen: number }>`
    select
      (select count(*) from clicks) as clicks,
      (select count(*) from clicks where is_unique) as uniques,
      (select coalesce(sum(raws), 0) from totals_pending) as raws,
      (select count(*) from seen_visitors) as seen
  `.execute(db)
  return rows[0]
}

const once = (count: number) => ({ clicks: count, uniques: count, raws: count, seen: count })
const isStored = (count: number) => async () => (await stored())?.clicks === count

test('before the first click, the statement is prepared, and nothing is stored', async () => {
  const recorder = start()
  expect(recorder.isReady()).toBe(false)
  await until(() => recorder.isReady())
  expect(await stored()).toEqual(once(0))
})

test('clicks that arrive together share few commits', async () => {
  const recorder = start()
  await recorder.record(click(0))
  const before = await commits()
  await Promise.all(clicks(1_000).map((one) => recorder.record(one)))
  expect(await stored()).toEqual({ ...once(1_000), clicks: 1_001, raws: 1_001 })
  expect((await commits()) - before).toBeLessThan(10)
})

async function commits(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text) as count from clicks
  `.execute(db)
  return rows[0]?.count ?? 0
}

test('of a visitor’s two clicks in one batch, one is unique', async () => {
  const recorder = start()
  await Promise.all([click(1), click(1), click(1)].map((one) => recorder.record(one)))
  expect(await stored()).toEqual({ clicks: 3, uniques: 1, raws: 3, seen: 1 })
})

test('a click whose key is taken is stored under another', async () => {
  const recorder = start()
  const taken = await recorder.record(click(1))
  const [other, bystander] = await Promise.all([
    recorder.record({ ...taken, ip: '192.0.2.1', visitor: '192.0.2.1' }),
    recorder.record(click(2)),
  ])
  expect(other.nonce).not.toBe(taken.nonce)
  expect(other.clickedAtMs).toBe(taken.clickedAtMs)
  expect(bystander.clickedAtMs).toBe(click(2).clickedAtMs)
  expect(await stored()).toEqual(once(3))
})

describe('stored exactly once, without keeping the visitor waiting, when', () => {
  test('the answer to a commit is lost', async () => {
    const recorder = start({ longestBatchMs: 300 })
    await recorder.record(click(0))
    const commit = layout === 'together' ? 'store clicks' : 'commit'
    const lost = proxy.cutOnce(commit, 'unanswered')
    await Promise.all(clicks(20).map((one) => recorder.record(one)))
    await lost
    await until(async () => (await readdir(folder)).length === 0)
    expect(await stored()).toEqual({ clicks: 21, uniques: 20, raws: 21, seen: 20 })
  })

  test('the database is unreachable from the start', async () => {
    proxy.cut()
    const recorder = start({ longestBatchMs: 300 })
    await Promise.all(clicks(700).map((one) => recorder.record(one)))
    expect(await stored()).toEqual(once(0))
    proxy.mend()
    await until(isStored(700))
    await until(async () => (await readdir(folder)).length === 0)
    expect(await stored()).toEqual(once(700))
  })

  test('the database goes away and comes back while clicks arrive', async () => {
    const recorder = start({ longestBatchMs: 300 })
    const all = clicks(600)
    const arrivals: Promise<Click>[] = []
    for (const [index, one] of all.entries()) {
      if (index === 200) proxy.cut()
      if (index === 400) proxy.mend()
      arrivals.push(recorder.record(one))
      if (index % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await Promise.all(arrivals)
    await until(isStored(600))
    expect(await stored()).toEqual(once(600))
  })

  test('the database stays away, so clicks go to disk', async () => {
    const recorder = start({ longestBatchMs: 300 })
    await recorder.record(click(0))
    proxy.cut()
    for (const number of [1, 2, 3, 4]) await recorder.record(click(number))
    proxy.mend()
    await until(isStored(5))
    expect(await stored()).toEqual(once(5))
  })

  test('the database hangs', async () => {
    const recorder = start({ longestBatchMs: 300 })
    await recorder.record(click(0))
    proxy.freeze()
    // It hangs until it is mended: nobody waits for it.
    await Promise.all(clicks(50).map((one) => recorder.record(one)))
    proxy.mend()
    await until(isStored(51))
    expect(await stored()).toEqual({ clicks: 51, uniques: 50, raws: 51, seen: 50 })
  })

  test('a table is locked for longer than visitors wait', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object | string, text = '') => void warnings.push(text) }
    const recorder = start({ longestBatchMs: 300, log })
    await recorder.record(click(0))
    const owner = openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true })
    await owner.db.transaction().execute(async (tx) => {
      await sql`lock table seen_visitors in access exclusive mode`.execute(tx)
      await Promise.all(clicks(50).map((one) => recorder.record(one)))
    })
    await owner.close()
    expect(warnings).toContain('a database session for clicks pauses after failures')
    await until(isStored(51))
    expect(await stored()).toEqual({ clicks: 51, uniques: 50, raws: 51, seen: 50 })
  })

  test('the process stops while clicks are in flight', async () => {
    const recorder = start({ longestBatchMs: 300 })
    const arrivals = clicks(100).map((one) => recorder.record(one))
    await recorder.stop()
    await Promise.all(arrivals)
    await start({ longestBatchMs: 300 }).record(click(100))
    await until(isStored(101))
    expect(await stored()).toEqual(once(101))
  })
})

test('a click that neither the database nor the disk accepts is refused', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  proxy.cut()
  const recorder = start({ spoolFolder: file })
  await expect(recorder.record(click(1))).rejects.toThrow()
  await rm(file)
  await recorder.record(click(2)) // the disk has space again
  proxy.mend()
  await until(isStored(1))
})

const DAYS = [
  '2026-03-08T04:59:59.999Z', // the last millisecond of 7 March in New York
  '2026-03-08T05:00:00.000Z',
  '2026-03-08T06:59:59.999Z', // before the clocks go forward
  '2026-03-08T07:00:00.000Z',
  '2026-03-09T03:59:59.999Z', // 8 March has 23 hours
  '2026-03-09T04:00:00.000Z',
  '2026-11-01T05:30:00.000Z', // 01:30, the first time
  '2026-11-01T06:30:00.000Z', // 01:30, the second time
  '2026-11-02T04:59:59.999Z', // 1 November has 25 hours
  '2026-11-02T05:00:00.000Z',
].map((iso) => Date.parse(iso))

const history = fc.array(
  fc.record({
    clickedAtMs: fc.constantFrom(...DAYS),
    agentId: fc.constantFrom(1, 2),
    officeId: fc.constantFrom(1, 2), // an agent may change offices
    typeId: fc.constantFrom(1, 2),
    ip: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::ffff:2'),
    uncounted: fc.option(fc.constantFrom(...UNCOUNTED), { nil: undefined, freq: 1 }),
    referrer: fc.constantFrom(undefined, 'https://a.example', 'https://b.example'),
    userAgent: fc.constantFrom(undefined, 'Firefox/140.0', 'https://a.example'),
    /** How it reaches the database. A spooled batch may already have been stored. */
    way: fc.constantFrom('recorder', 'spool', 'spool, twice', 'recorder, then spool'),
  }),
  // Most visitors return.
  { maxLength: 60, size: 'max' },
)

propertyTest.prop([history, fc.infiniteStream(fc.nat(1_000))], { numRuns: 40 })(
  'however clicks come and come again, rows and totals are those of a naive count',
  async (all, shuffle) => {
    await emptyTables(connection, ['clicks', 'seen_visitors', 'totals_pending'])
    const recorder = running ?? start()
    const session = await openClickSession(connection, 10_000)
    const store = { clickStore, known: startKnownTexts() }
    const keyed = all.map(({ way, ...values }) => ({ way, one: click(0, values) }))

    await Promise.all(
      keyed.filter(({ way }) => way.startsWith('recorder')).map(({ one }) => recorder.record(one)),
    )
    const again = keyed
      .filter(({ way }) => way !== 'recorder')
      .flatMap(({ way, one }) => (way === 'spool, twice' ? [one, one] : [one]))
      .map((one) => ({ one, place: shuffle.next().value ?? 0 }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one)
    const byDay = Map.groupBy(again, (one) => dayOf(one.clickedAtMs))
    for (const batch of byDay.values()) {
      const middle = batch.length >> 1
      for (const part of [batch.slice(0, middle), batch.slice(middle)]) {
        if (part.length > 0) await storeClicks(session, 'again', part, store)
      }
    }
    await session.end()

    const counted = keyed.map(({ one }) => one).filter((one) => one.uncounted === undefined)
    const visitors = new Set(
      counted.map((one) =>
        [
          dayOf(one.clickedAtMs),
          one.agentId,
          one.typeId,
          one.ip.replace(/^2001:db8::.*/, 'v6'),
        ].join(),
      ),
    )
    const raws = new Map<string, number>()
    for (const one of counted) {
      const key = [dayOf(one.clickedAtMs), one.agentId, one.officeId, one.typeId].join()
      raws.set(key, (raws.get(key) ?? 0) + 1)
    }
    expect((await stored())?.clicks).toBe(all.length)
    expect((await stored())?.uniques).toBe(visitors.size)
    expect((await stored())?.seen).toBe(visitors.size)
    const totals = await sql<{ key: string; raws: number; uniques: number }>`
      select concat_ws(',', day, agent_id, office_id, type_id) as key,
        sum(raws)::integer as raws, sum(uniques)::integer as uniques
      from totals_pending
      group by 1
    `.execute(db)
    expect(new Map(totals.rows.map((row) => [row.key, row.raws]))).toEqual(raws)
    expect(totals.rows.reduce((sum, row) => sum + row.uniques, 0)).toBe(visitors.size)
  },
)
