import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { execute } from '../../../test/test-server.ts'
import { inTransaction } from '../transaction.ts'
import { untilShownEverywhere } from './between-phases.ts'

const { db, connection } = await testDatabase({ layout: 'together' })

/** Stands in for Citus’s function of this name. */
const workersAnswer = (query: string) =>
  execute(
    connection,
    `create or replace function run_command_on_workers(command text)
     returns table (nodename text, nodeport int, success boolean, result text) language sql as $$
       select 'worker-1', 5432, answers.* from (${query}) as answers
     $$`,
  )

const wait = () => inTransaction(db, untilShownEverywhere)

test('the statements that follow have their former timeout', async () => {
  await workersAnswer("select true, ''")
  const { rows } = await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = '7min'`.execute(tx)
    await untilShownEverywhere(tx)
    return sql`show statement_timeout`.execute(tx)
  })
  expect(rows).toEqual([{ statement_timeout: '7min' }])
})

test('a commit that stays prepared is named', async () => {
  await workersAnswer("select true, 'citus_0_12_34_5'")
  await expect(wait()).rejects.toMatchObject({
    code: '57P03',
    message: expect.stringContaining('citus_0_12_34_5'),
  })
})

test('a worker that refuses connections may hold what it has prepared', async () => {
  await workersAnswer("select false, 'ERROR:  connection failed'")
  await expect(wait()).rejects.toMatchObject({
    code: '57P03',
    message: 'worker-1:5432 refuses connections',
  })
})

test('a worker that does not answer counts as an unavailable database', async () => {
  await workersAnswer("select true, '' from pg_sleep(20)")
  await expect(wait()).rejects.toMatchObject({ code: '57P03' })
})
