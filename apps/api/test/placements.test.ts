import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { testDatabase } from './database.ts'
import { systemClock } from '../src/lib/clock.ts'
import { streamTotals } from '../src/totals/index.ts'
import { openDatabase } from '../src/db/database.ts'
import { inSnapshot, inTransaction, isUnavailable } from '../src/db/transaction.ts'
import { findPlacements, ShardsMoved } from '../src/db/citus/placements.ts'

const together = await testDatabase({ layout: 'together' })
const { db, connection } = await testDatabase({ layout: 'distributed' })
const owner = openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true })
afterAll(() => owner.close())

test('one server has no placements to compare', async () => {
  expect(await findPlacements(together.db)).toBeUndefined()
  expect(await findPlacements(db)).toMatch(/^\d+ -?\d+$/)
})

describe.skipIf(inject('testServer').isCitus)('while a shard moves', () => {
  const moveShard = () =>
    sql`update citus_stand_in.pg_dist_placement set groupid = groupid + 1`.execute(owner.db)

  test('what reads in a snapshot begins again', async () => {
    let tries = 0
    const read = () =>
      inSnapshot(db, async (tx) => {
        await sql`select count(*) from clicks`.execute(tx)
        if (++tries === 1) await moveShard()
        return tries
      })
    expect(await read()).toBe(2)
    expect(await read()).toBe(3)
  })

  test('what fails in a snapshot, since the shard is gone, begins again', async () => {
    let tries = 0
    const read = inSnapshot(db, async (tx) => {
      if (++tries > 1) return tries
      await moveShard()
      await sql`select from shard_that_moved`.execute(tx)
      return tries
    })
    expect(await read).toBe(2)
  })

  test('what fails in a snapshot for itself fails', async () => {
    const read = inSnapshot(db, (tx) => sql`select from nowhere`.execute(tx))
    await expect(read).rejects.toMatchObject({ code: '42P01' })
  })

  test('what writes in a snapshot stores nothing, and begins again', async () => {
    let tries = 0
    await inTransaction(
      db,
      async (tx) => {
        await tx
          .insertInto('change_counters')
          .values({ topic: `try ${++tries}` })
          .execute()
        if (tries === 1) await moveShard()
      },
      { isolation: 'repeatable read' },
    )
    const stored = await db
      .selectFrom('change_counters')
      .select('topic')
      .where('topic', 'like', 'try %')
      .execute()
    expect(stored).toEqual([{ topic: 'try 2' }])
  })

  test('what is read while shards never stay is unavailable', async () => {
    const error: unknown = await inSnapshot(db, moveShard).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ShardsMoved)
    expect(isUnavailable(error)).toBe(true)
  })

  test('what was sent in part has no end', async () => {
    const sent: number[] = []
    const stream = streamTotals({ db, reportDb: db, clock: systemClock }, async function* () {
      yield 1
      await moveShard()
      yield 2
    })
    const all = async () => {
      for await (const value of stream) sent.push(value)
    }
    await expect(all()).rejects.toThrow(ShardsMoved)
    expect(sent).toEqual([1, 2])
  })
})
