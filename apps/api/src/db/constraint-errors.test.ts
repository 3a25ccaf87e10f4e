import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { constraintMessages, knownConstraints } from './constraint-errors.ts'

const { db, pool } = await testDatabase()

test('a duplicate value becomes a message at its field', async () => {
  const created_at = new Date(0)
  await db.insertInto('offices').values({ name: 'Manila', created_at }).execute()
  const error = await db
    .insertInto('offices')
    .values({ name: 'MANILA', created_at })
    .execute()
    .catch((reason: unknown) => reason)
  expect(constraintMessages(error)).toEqual({ officeName: ['is already taken'] })
})

test.each([
  [
    'of a shard on the coordinator',
    { constraint: 'accounts__username_102011' },
    'accounts__username_102011',
  ],
  ['of a worker, which has no fields', {}, 'accounts__username_102011'],
  ['without a shard', {}, 'accounts__username'],
])('so does an error %s', (_, fields, named) => {
  const error = new pg.DatabaseError(
    `duplicate key value violates unique constraint "${named}"`,
    0,
    'error',
  )
  expect(constraintMessages(Object.assign(error, { code: '23505', ...fields }))).toEqual({
    username: ['is already taken'],
  })
})

test('other errors are not field messages', async () => {
  const nullName = await pool
    .query('insert into offices (name) values (null)')
    .catch((e: unknown) => e)
  expect(constraintMessages(nullName)).toBeUndefined()
  expect(constraintMessages(new Error('no'))).toBeUndefined()
})

test('every translated constraint is a unique index of the database', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indisunique and c.relname = any ($1)`,
    [knownConstraints],
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(knownConstraints.toSorted())
})
