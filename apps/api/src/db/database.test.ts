import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'
import { errorCode, inTransaction, isUnavailable } from './transaction.ts'

// On a single server only: on a cluster, the app's role deletes events itself.
const { db, pool, connection } = await testDatabase({ layout: 'together' })
const owner = openDatabase(connection, { max: 2, applicationName: 'owner', asOwner: true })
afterAll(() => owner.close())

async function valueOf(expression: string): Promise<unknown> {
  const { rows } = await pool.query<{ value: unknown }>(`select ${expression} as value`)
  return rows[0]?.value
}

describe('values are parsed exactly', () => {
  test.each([
    ['bigint as a number', '9007199254740991::bigint', 9007199254740991],
    ['a negative bigint too', '-9007199254740991::bigint', -9007199254740991],
    ['bigints of an array as numbers', 'array[1, null, 3]::bigint[]', [1, null, 3]],
    ['the sum of integers as a number', '(select sum(x) from generate_series(1, 3) x)', 6],
    ['a day as text', "'2025-03-09'::date", '2025-03-09'],
    ['days of an array as text', "array['2025-03-09']::date[]", ['2025-03-09']],
    ['numeric as text', '1.10::numeric', '1.10'],
    ['an instant as a Date', "'2025-03-09 02:30-05'::timestamptz", new Date('2025-03-09T07:30Z')],
    ['an address as text', "'10.0.0.1'::inet", '10.0.0.1'],
    ['a network as text', "'10.0.0.0/8'::cidr", '10.0.0.0/8'],
    ['json parsed', `'{"a":[1]}'::jsonb`, { a: [1] }],
    ['bytes as a Buffer', String.raw`'\x00ff'::bytea`, Buffer.from([0, 255])],
  ])('%s', async (_, expression, expected) => {
    expect(await valueOf(expression)).toEqual(expected)
  })

  test('a bigint that would be rounded is an error', async () => {
    await expect(valueOf('9007199254740993::bigint')).rejects.toThrow('past 2^53')
  })
})

describe("the app's own role", () => {
  test('is used by the app', async () => {
    expect(await valueOf('current_user')).toBe('tallyroom_app')
  })

  test('is not used by the owner', async () => {
    const { rows } = await owner.pool.query('select current_user as value')
    expect(rows).not.toEqual([{ value: 'tallyroom_app' }])
  })

  test.each([
    ['change an event', 'update sale_events set quantity = 1'],
    ['delete sales', 'delete from sale_events'],
    ['delete what counts them once', 'delete from sale_keys'],
    ['delete clicks', 'delete from clicks'],
    ['change what arrived', "update postbacks set outcome = 'refused'"],
    ['delete what arrived', 'delete from postbacks'],
    ['delete what somebody did', 'delete from audit_log'],
    ['change the schema', 'alter table agents add column x integer'],
    ['make a table', 'create table x (id integer)'],
  ])('may not %s', async (_, statement) => {
    const error = await pool.query(statement).catch((reason: unknown) => reason)
    expect(errorCode(error)).toBe('42501')
  })

  test('has a statement timeout, and the options of the URL are kept', async () => {
    const url = new URL(connection.url)
    url.searchParams.set('options', '-c work_mem=7MB')
    const own = openDatabase(
      { kind: connection.kind, url: url.href },
      { max: 1, applicationName: 'a test' },
    )
    const { rows } = await own.pool.query(
      `select current_user as role, current_setting('statement_timeout') as timeout,
         current_setting('work_mem') as memory, current_setting('application_name') as name`,
    )
    expect(rows).toEqual([{ role: 'tallyroom_app', timeout: '30s', memory: '7MB', name: 'a test' }])
    await own.close()
  })
})

describe('a lost session', () => {
  async function endSession(pid: unknown): Promise<void> {
    // Waits until it has ended.
    await owner.pool.query('select pg_terminate_backend($1::integer, 10000)', [pid])
    await sleep(50)
  }

  test('while idle is replaced unnoticed', async () => {
    const own = openDatabase(connection, { max: 1, applicationName: 'lost' })
    const first = await own.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    await endSession(first.rows[0]?.pid)
    const second = await own.pool.query('select 1 as value')
    expect(second.rows).toEqual([{ value: 1 }])
    await own.close()
  })

  test('in the middle of a transaction fails only that transaction', async () => {
    const lost = inTransaction(db, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await endSession(rows[0]?.pid)
      await sql`select 1`.execute(tx)
    })
    expect(isUnavailable(await lost.catch((error: unknown) => error))).toBe(true)
    expect(await valueOf('1')).toBe(1)
  })
})
