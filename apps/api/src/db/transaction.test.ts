import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { countChanges } from '../../test/count-changes.ts'
import { testDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'
import { movingClock } from '../lib/clock.ts'
import { locks, takeLock } from './locks.ts'
import { onlyOne } from './only-one.ts'
import {
  inSnapshot,
  inTransaction,
  isUnavailable,
  nowOf,
  rehearse,
  withinTransaction,
} from './transaction.ts'

const { db, connection } = await testDatabase()

test('a failed transaction leaves nothing behind', async () => {
  const failed = inTransaction(db, async (tx) => {
    await tx.insertInto('change_counters').values({ topic: 'half' }).execute()
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await expect(countChanges(db, 'half')).rejects.toThrow('no result')
})

test('transactions that conflict are retried until they succeed', async () => {
  await db.insertInto('change_counters').values({ topic: 'contended' }).execute()
  // Each reads a number and writes that number plus one, so only one of two concurrent calls can be
  // serialized.
  const raise = () =>
    inTransaction(
      db,
      async (tx) => {
        const { changes } = await tx
          .selectFrom('change_counters')
          .select('changes')
          .where('topic', '=', 'contended')
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('change_counters')
          .set({ changes: changes + 1 })
          .where('topic', '=', 'contended')
          .execute()
      },
      { isolation: 'serializable' },
    )
  await Promise.all([raise(), raise(), raise()])
  expect(await countChanges(db, 'contended')).toBe(3)
})

test('of two deadlocked transactions, both succeed in the end', async () => {
  await db
    .insertInto('change_counters')
    .values([{ topic: 'left' }, { topic: 'right' }])
    .execute()
  const raise = (topics: string[]) =>
    inTransaction(db, async (tx) => {
      for (const topic of topics) {
        await tx
          .updateTable('change_counters')
          .set((row) => ({ changes: row('changes', '+', 1) }))
          .where('topic', '=', topic)
          .execute()
        await sql`select pg_sleep(0.05)`.execute(tx)
      }
    })
  await Promise.all([raise(['left', 'right']), raise(['right', 'left'])])
  expect([await countChanges(db, 'left'), await countChanges(db, 'right')]).toEqual([2, 2])
})

test('a transaction that always conflicts gives up', async () => {
  let tries = 0
  const hopeless = inTransaction(db, async (tx) => {
    tries++
    await sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`.execute(tx)
  })
  await expect(hopeless).rejects.toThrow('lost')
  expect(tries).toBe(6)
})

describe('the instant of a transaction', () => {
  const moving = movingClock('2026-03-10T16:00:00Z')
  const timed = openDatabase(connection, { max: 3, applicationName: 'timed', clock: moving })
  afterAll(() => timed.close())
  const at = (ms: number) => new Date(Date.parse('2026-03-10T16:00:00Z') + ms)
  beforeEach(() => moving.set('2026-03-10T16:00:00Z'))

  test('is one, however the clock moves meanwhile, back as well', async () => {
    const seen = await inTransaction(timed.db, async (tx) => {
      const first = tx.now
      moving.advance(5_000)
      const later = nowOf(tx)
      moving.advance(-3_600_000)
      return [first, later, await withinTransaction(tx, async (same) => same.now)]
    })
    expect(new Set(seen.map(Number)).size).toBe(1)
    expect(await inTransaction(timed.db, async (tx) => tx.now < at(0))).toBe(true)
  })

  test('is taken when it is asked for, so after the locks that it waited for', async () => {
    const holds = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const first = inTransaction(timed.db, async (tx) => {
      await takeLock(tx, locks.balances)
      isHeld.resolve()
      await holds.promise
      return tx.now
    })
    await isHeld.promise
    const second = inTransaction(timed.db, async (tx) => {
      await takeLock(tx, locks.balances)
      return tx.now
    })
    moving.advance(60_000)
    holds.resolve()
    expect((await second).getTime()).toBeGreaterThanOrEqual((await first).getTime())
    expect((await second).getTime()).toBeGreaterThanOrEqual(at(60_000).getTime())
  })

  test('is another one for each try', async () => {
    const tries: Date[] = []
    await inTransaction(timed.db, async (tx) => {
      tries.push(tx.now)
      moving.advance(1_000)
      if (tries.length < 3)
        await sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`.execute(tx)
    })
    expect(new Set(tries.map(Number)).size).toBe(3)
    expect(tries).toEqual(tries.toSorted((a, b) => a.getTime() - b.getTime()))
  })

  test('is that of the rehearsal, of a snapshot, and of what only one process does', async () => {
    let rehearsed: Date | undefined
    await rehearse(() =>
      inTransaction(timed.db, async (tx) => {
        rehearsed = tx.now
      }),
    )
    moving.advance(1_000)
    const read = await inSnapshot(timed.db, async (tx) => tx.now)
    moving.advance(1_000)
    const alone = await onlyOne(timed.db, locks.restore, async (tx) => tx.now)
    const all = [rehearsed, read, alone].map(Number)
    expect(all).toEqual(all.toSorted((a, b) => a - b))
    expect(new Set(all).size).toBe(3)
  })

  test('is the clock’s outside of a transaction', () => {
    const before = nowOf(timed.db)
    moving.advance(1_000)
    expect(nowOf(timed.db).getTime() - before.getTime()).toBeGreaterThanOrEqual(1_000)
  })
})

test.each([
  ['the server is shutting down', pgError('57P01'), true],
  ['the server is starting', pgError('57P03'), true],
  ['a worker died', pgError('XX000', 'SSL SYSCALL error: EOF detected'), true],
  [
    'a worker died between statements',
    pgError('XX000', 'failure on connection marked as essential: worker-1:5432'),
    true,
  ],
  [
    'a worker is gone',
    pgError('XX000', 'could not receive data from server: Connection reset'),
    true,
  ],
  [
    'a worker died before the commit',
    pgError('XX000', 'could not commit transaction for shard 102825 on at least one active node'),
    true,
  ],
  ['the coordinator died', pgError('XX000', 'postmaster was shut down, exiting'), true],
  ['something went wrong inside', pgError('XX000', 'cache lookup failed for type 7'), false],
  ['the connection broke', pgError('08006'), true],
  ['there are too many sessions', pgError('53300'), true],
  ['the disk is full', pgError('53100'), true],
  ['the server became a standby', pgError('25006'), true],
  ['nobody listens', systemError('ECONNREFUSED'), true],
  ['both addresses of a name fail', new AggregateError([systemError('ECONNREFUSED')]), true],
  ['the socket is not there', systemError('ENOENT'), true],
  ['the driver lost it', new Error('Connection terminated unexpectedly'), true],
  ['the pool is used up', new Error('timeout exceeded when trying to connect'), true],
  ['a unique key is taken', pgError('23505'), false],
  ['a statement is wrong', pgError('42601'), false],
  ['a statement took too long', pgError('57014'), false],
  ['a bug', new TypeError('x is undefined'), false],
  ['not an error at all', 'ECONNREFUSED', false],
])('unavailable? %s: %o', (_, error, expected) => {
  expect(isUnavailable(error)).toBe(expected)
})

test('a missing server counts as unavailable', async () => {
  const nowhere = openDatabase(
    { kind: 'server', url: 'postgres://nobody@127.0.0.1:1/none' },
    { max: 1, applicationName: 'nowhere' },
  )
  const error = await nowhere.pool.query('select 1').catch((reason: unknown) => reason)
  expect(isUnavailable(error)).toBe(true)
  await nowhere.close()
})

test('exclusive work is done by one process, and can be done again afterwards', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const other = openDatabase(connection, { max: 1, applicationName: 'another process' })
  const first = onlyOne(db, locks.restore, async () => {
    begin()
    await mayEnd
    return 'done'
  })
  await begun
  expect(await onlyOne(other.db, locks.restore, async () => 'twice')).toBe('busy')
  expect(await onlyOne(other.db, locks.balances, async () => 'beside')).toBe('beside')
  end()
  expect(await first).toBe('done')
  expect(await onlyOne(other.db, locks.restore, async () => 'again')).toBe('again')
  await other.close()
})

function pgError(code: string, message = 'an error of the server'): Error {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code })
}

function systemError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code })
}
