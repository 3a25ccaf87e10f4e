import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { watchTransactions, whyUnportable } from '../../../test/portability-rules.ts'
import { openDatabase } from '../database.ts'
import { errorCode } from '../transaction.ts'
import { WORK_IN_SEQUENCE } from './layout.ts'

const { connection } = await testDatabase({ layout: 'distributed' })
// Nothing is refused before it is sent.
const { db, close } = openDatabase(connection, { max: 1, applicationName: 'tallyroom tests' })
afterAll(close)

const manyShards = 'select count(*) from sale_events'
const fewKeys = 'select 1 from sale_keys where order_hash in (1, 2, 3, 4, 5, 6)'
const fact = `insert into facts (id, kind, happened_at, subject) values (gen_random_uuid(), 'x', now(), '{}')`
const mayWrite = 'set local citus.enforce_foreign_key_restrictions to off'

/** Transactions, and whether Citus refuses their last statement. */
const transactions: [refused: boolean, statements: string[]][] = [
  [true, [manyShards, fact]],
  [true, [fewKeys, fact]],
  [true, [manyShards, `update agents set first_name = 'A'`]],
  [true, [manyShards, WORK_IN_SEQUENCE, fact]],
  [false, [WORK_IN_SEQUENCE, manyShards, fact]],
  [false, [manyShards, mayWrite, fact]],
  [false, [`select 1 from sale_events where agent_id = 1`, fact]],
  [false, [fact, manyShards]],
  [false, [manyShards, `delete from sessions where false`]],
  [false, [manyShards, `delete from notices`]],
  [false, [manyShards, `insert into user_agents (id, user_agent) values (1, 'x')`]],
  [false, [manyShards, `delete from captchas`]],
  [
    true,
    [
      `with gone as (delete from totals_pending returning day), more as (delete from notices) select 1 from gone`,
    ],
  ],
  [
    true,
    [
      `with gone as (delete from totals_pending returning day) select 1 from gone, agents where false`,
    ],
  ],
  [
    false,
    [
      `with gone as (delete from notices returning id), more as (delete from deliveries) select 1 from gone`,
    ],
  ],
  [
    false,
    [
      `with gone as (delete from totals_pending returning agent_id) delete from notices where agent_id in (select agent_id from gone)`,
    ],
  ],
  [false, [`delete from sign_in_waits where subject in (select sitename from sites)`]],
  [
    true,
    [`update mails set next_try_at = now() where tried_at + interval '1 day' * tries > now()`],
  ],
  [true, [`delete from sessions where expires_at + interval '1 day' < now()`]],
  [false, [`update mails set next_try_at = now() + interval '1 day'`]],
  [false, [`delete from sign_in_waits where wait_until + interval '1 day' < now()`]],
]

const lastIsRefused = (statements: readonly string[]): boolean => {
  const isTooLate = watchTransactions()
  isTooLate('begin')
  return statements.map((one) => isTooLate(one) || whyUnportable(one) !== undefined).at(-1) ?? false
}

test.each(transactions)('the rules say what Citus refuses: %s, %j', async (refused, statements) => {
  expect(lastIsRefused(statements)).toBe(refused)
  // Without Citus, there is nobody to agree with.
  if (!inject('testServer').isCitus) return
  const last = statements.at(-1) ?? ''
  const sent = db.transaction().execute(async (tx) => {
    for (const one of statements.slice(0, -1)) await sql.raw(one).execute(tx)
    const failed = await sql
      .raw(last)
      .execute(tx)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    throw failed ?? new Taken()
  })
  if (refused) await expect(sent).rejects.toSatisfy(isOfCitus)
  else await expect(sent).rejects.toThrow(Taken)
})

class Taken extends Error {
  override name = 'Taken'
}

/** Its own refusals are internal errors or features that it lacks. A mistake in the statement is neither. */
const isOfCitus = (error: unknown) => ['XX000', '0A000'].includes(errorCode(error) ?? '')
