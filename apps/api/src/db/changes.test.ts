import { afterEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { silentLog } from '../lib/log/log.ts'
import { announceChange, type ChangeWatch, type Topic, watchChanges } from './changes.ts'
import { openDatabase } from './database.ts'
import { inTransaction } from './transaction.ts'

const { db, connection } = await testDatabase()
const announce = () => inTransaction(db, (tx) => announceChange(tx, 'options'))

let watch: ChangeWatch
afterEach(() => watch.stop())

function count({
  topics = ['options'],
  ...options
}: { topics?: Topic[]; lookMs?: number; failures?: number } = {}) {
  let [loads, failures] = [0, options.failures ?? 0]
  watch = watchChanges(connection, { log: silentLog, lookMs: 60_000, ...options })
  watch.keepFresh(topics, async () => {
    if (failures-- > 0) throw new Error('not now')
    loads++
  })
  return () => loads
}

test('cached data is loaded at once and after each announcement', async () => {
  const loads = count()
  await until(() => loads() === 1)
  await announce()
  await until(() => loads() === 2)
})

test('data that depends on two topics is loaded once at first, and after a change of either or both', async () => {
  const loads = count({ topics: ['options', 'site-keys'] })
  await until(() => loads() === 1)
  await announce()
  await until(() => loads() === 2)
  await inTransaction(db, async (tx) => {
    await announceChange(tx, 'options')
    await announceChange(tx, 'site-keys')
  })
  await until(() => loads() === 3)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(loads()).toBe(3)
})

test('announcements of other topics change nothing', async () => {
  const loads = count({ lookMs: 20 })
  await until(() => loads() === 1)
  await inTransaction(db, (tx) => announceChange(tx, 'destinations'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(loads()).toBe(1)
})

test('polling finds a change whose notification was lost', async () => {
  const loads = count({ lookMs: 20 })
  await until(() => loads() === 1)
  await db
    .updateTable('change_counters')
    .set((eb) => ({ changes: eb('changes', '+', 1) }))
    .where('topic', '=', 'options')
    .execute()
  await until(() => loads() === 2)
})

test('a failed load is retried', async () => {
  const loads = count({ lookMs: 20, failures: 2 })
  await until(() => loads() === 1)
})

test('a lost session is replaced', async () => {
  const loads = count({ lookMs: 20 })
  await until(() => loads() === 1)
  const owner = openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true })
  await owner.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tallyroom changes' and datname = current_database()`,
  )
  await owner.close()
  await announce()
  await until(() => loads() === 2)
})

test('an announcement that is rolled back has no effect', async () => {
  const loads = count({ lookMs: 20 })
  await until(() => loads() === 1)
  await inTransaction(db, async (tx) => {
    await announceChange(tx, 'options')
    throw new Error('changed my mind')
  }).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(loads()).toBe(1)
})
