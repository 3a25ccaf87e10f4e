import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { addToTotals, clearTotals } from '../../test/add-to-totals.ts'
import { testDatabase } from '../../test/database.ts'
import { holdFolds } from '../../test/hold-folds.ts'
import { viewer } from '../../test/call-routes.ts'
import { scopeOf } from '../access/scope.ts'
import { openDatabase, type Tx } from '../db/database.ts'
import { movingClock } from '../lib/clock.ts'
import {
  foldTotals,
  foldOrRefuse,
  foldWhileRead,
  type Reach,
  readTotals,
  streamTotals,
  type TotalsDelta,
} from './index.ts'

const { db, clock, connection, layout } = await testDatabase()
/** Stands for another process, whose folds are not shared with this one. */
const others = ['one', 'two'].map(
  (name) =>
    openDatabase(connection, { max: 4, applicationName: `process ${name}`, clock: db.clock }).db,
)
clock.set('2026-03-10T15:00:00Z')
const [today, yesterday] = ['2026-03-10', '2026-03-09']

afterEach(() => clearTotals(db))

/** On a cluster, everybody waits for a running fold, and nobody folds for later readers. */
const isDistributed = layout === 'distributed'

const delta = (more: Partial<TotalsDelta>): TotalsDelta => ({
  day: today,
  agent_id: 1,
  office_id: 1,
  site_id: 1,
  type_id: 1,
  raws: 1,
  ...more,
})

/** The clicks of an agent in the totals, as a report in `process` reads them. */
const readClicks = (agent: number, { process = db, ...reach }: { process?: typeof db } & Reach) =>
  readTotals(
    { db: process, reportDb: process, clock },
    async (tx) => {
      const { rows } = await sql<{ raws: number }>`
        select coalesce(sum(raws), 0) as raws from totals_day_agent where agent_id = ${agent}
      `.execute(tx)
      return rows[0]?.raws
    },
    reach,
  )

const countPending = async () =>
  (await db.selectFrom('totals_pending').selectAll().execute()).length

test('a report includes everything committed before the request, however many readers there are', async () => {
  const processes = [db, ...others]
  const wrong: string[] = []
  const writers = Array.from({ length: 12 }, async (_, agent) => {
    for (let clicks = 1; clicks <= 12; clicks++) {
      await addToTotals(processes[agent % 3] ?? db, [
        delta({ agent_id: agent, avp_sales: clicks % 4 === 0 ? 1 : 0 }),
      ])
      const found = await readClicks(agent, { process: processes[(agent + clicks) % 3] ?? db })
      if (found !== clicks) wrong.push(`agent ${agent}: ${found} of ${clicks}`)
    }
  })
  await Promise.all(writers)
  expect(wrong).toEqual([])
  expect(await countPending()).toBe(0)
})

test('readers who arrive during a fold share the next one', async () => {
  await addToTotals(db, [delta({})])
  const running = foldTotals(db)
  await addToTotals(db, [delta({ agent_id: 2 })])
  const later = [foldTotals(db), foldTotals(db)]
  expect(later[0]).toBe(later[1])
  await Promise.all([running, ...later])
  expect(await countPending()).toBe(0)
})

test.skipIf(isDistributed)(
  'a report of days that are over folds only what arrived late for them',
  async () => {
    await addToTotals(db, [delta({ day: today })])
    expect(await readClicks(1, { until: yesterday })).toBe(0)
    expect(await countPending()).toBe(1)

    await addToTotals(db, [delta({ day: yesterday })])
    expect(await readClicks(1, { until: yesterday })).toBe(2)
    expect(await countPending()).toBe(0)
  },
)

test.skipIf(isDistributed)(
  'a report for an agent or an office folds only if something of theirs is pending',
  async () => {
    const ofAgent = scopeOf(viewer({ role: 'agent', officeId: 1, agentId: 1 }))
    const ofOffice = scopeOf(viewer({ role: 'company', officeId: 1, agentId: undefined }))
    await addToTotals(db, [delta({ agent_id: 3, office_id: 2 })])
    for (const scope of [ofAgent, ofOffice]) expect(await readClicks(1, { scope })).toBe(0)
    expect(await countPending()).toBe(1)

    await addToTotals(db, [delta({ agent_id: 2 })])
    expect(await readClicks(1, { scope: ofAgent, until: today })).toBe(0)
    expect(await countPending()).toBe(2)
    expect(await readClicks(2, { scope: ofOffice, until: today })).toBe(1)
    expect(await countPending()).toBe(0)

    // What they did for the office before.
    await addToTotals(db, [delta({ office_id: 2 })])
    expect(await readClicks(1, { scope: ofAgent })).toBe(1)
  },
)

test.skipIf(isDistributed)('while somebody reads, folds go on without them', async () => {
  const at = movingClock('2026-03-10T15:00:00Z')
  const reader = { db, reportDb: db, clock: at }
  await addToTotals(db, [delta({})])
  await readTotals(reader, () => Promise.resolve())

  await addToTotals(db, [delta({})])
  at.set('2026-03-10T15:00:00.199Z')
  await foldWhileRead(reader)
  expect(await countPending()).toBe(1)
  at.set('2026-03-10T15:00:00.200Z')
  await foldWhileRead(reader)
  expect(await countPending()).toBe(0)

  await addToTotals(db, [delta({})])
  await foldWhileRead(reader)
  expect(await countPending()).toBe(1)
  at.advance(10_000)
  await foldWhileRead(reader)
  expect(await countPending()).toBe(1)
})

test('pages that poll do not cause folds between their own', async () => {
  const at = movingClock('2026-03-10T16:00:00Z')
  await addToTotals(db, [delta({})])
  await foldOrRefuse(db)
  expect(await countPending()).toBe(0)

  await addToTotals(db, [delta({})])
  await foldWhileRead({ db, clock: at })
  expect(await countPending()).toBe(1)
})

test('while totals are held, a report waits, and is refused rather than showing old figures', async () => {
  await addToTotals(db, [delta({})])
  const release = await holdFolds(db)
  await expect(readClicks(1, {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message:
      'The figures are not available now: totals are being rebuilt, or the database is slow.',
  })
  const waiting = readClicks(1, {})
  await release()
  expect(await waiting).toBe(1)
}, 30_000)

const plannerSettings = async (tx: Tx) => {
  const { rows } = await sql<{ jit: string; workers: string }>`
    select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as workers
  `.execute(tx)
  return rows[0]
}

test('neither reports nor exports compile their plans or start workers for them, whatever the server is set to', async () => {
  const databases = { db, reportDb: db, clock }
  const settings = { jit: 'off', workers: '0' }
  expect(await readTotals(databases, plannerSettings)).toEqual(settings)
  const streamed = streamTotals(databases, async function* (tx) {
    yield await plannerSettings(tx)
  })
  expect(await Array.fromAsync(streamed)).toEqual([settings])
})
