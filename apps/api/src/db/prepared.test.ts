import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { prepared } from './prepared.ts'

const { db } = await testDatabase()

test('a session prepares marked statements and no others', async () => {
  await db.connection().execute(async (session) => {
    for (const id of [1, 2, 3]) {
      await session
        .selectFrom('sites')
        .modifyFront(prepared)
        .select('id')
        .where('id', '=', id)
        .execute()
      await sql`${prepared} select ${id}::integer as id`.execute(session)
      await session.selectFrom('offices').select('id').where('id', '=', id).execute()
    }
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements order by length(statement)
    `.execute(session)
    expect(rows.map(({ statement }) => statement.replaceAll('"', ''))).toEqual([
      '/* prepared */ select $1::integer as id',
      'select /* prepared */ id from sites where id = $1',
    ])
  })
})

test('a marked statement fails like any other', async () => {
  const failing = sql`${prepared} select 1 / ${0}::integer as never`
  await expect(failing.execute(db)).rejects.toMatchObject({ code: '22012' })
  await expect(failing.execute(db)).rejects.toMatchObject({ code: '22012' })
})
