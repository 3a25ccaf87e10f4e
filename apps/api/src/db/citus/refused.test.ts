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
      `with gone as (delete from totals_day_office returning day), more as (delete from notices) select 1 from gone`,
    ],
  ],
  [
    true,
    [
      `with gone as (delete from totals_day_office returning day) select 1 from gone, agents where false`,
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
  [true, [`update facts set id = md5(concat(kind, subject))::uuid`]],
  [false, [`update agents set first_name = concat('a', 'b')`]],
  [false, [`update agents set first_name = md5(first_name || last_name)`]],
  [true, [`delete from facts where to_char(happened_at, 'YYYY') = '1999'`]],
  [true, [`update mails set next_try_at = date_trunc('day', tried_at)`]],
  [
    false,
    [`delete from mails where date_trunc('day', tried_at at time zone 'UTC') < '2000-01-01'`],
  ],
  [true, [`delete from sessions where expires_at::date < '2000-01-01'`]],
  [true, [`delete from sessions where extract(epoch from expires_at) < 1`]],
  [false, [`delete from facts where kind in (select concat(kind, 'x') from facts)`]],
  [
    true,
    [
      `update agents set first_name = named.name from (select id, concat(first_name, id) as name from agents) as named where named.id = agents.id`,
    ],
  ],
  [true, [`update sessions set last_seen_at = coalesce(last_seen_at, now())`]],
  [true, [`update facts set happened_at = case when kind = 'x' then now() else happened_at end`]],
  [true, [`update facts set kind = 'x' returning to_char(happened_at, 'YYYY')`]],
  [true, [`${fact} returning concat(id, kind)`]],
  [true, [`${fact} on conflict (id) do update set kind = concat(excluded.kind, 'x')`]],
  [
    false,
    [
      `insert into options (name, value) values ('x', 'X') on conflict (name) do update set value = lower(excluded.value)`,
    ],
  ],
  [
    false,
    [
      `insert into facts (id, kind, happened_at, subject) select gen_random_uuid(), concat(kind, 'x'), happened_at, subject from facts`,
    ],
  ],
  [true, [`update sale_events set click_id = concat(click_id, 'x') where agent_id = 1 and fraud`]],
  [true, [`delete from clicks where agent_id = 1 and clicked_at::date < '2000-01-01'`]],
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
