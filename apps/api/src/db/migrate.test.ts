import { expect, inject, test } from 'vitest'
import { execute } from '../../test/test-server.ts'
import { toDatabase, withSettings } from './connection.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { silentLog } from '../lib/log.ts'

test('processes that start at once migrate an empty database once', async () => {
  const { connection: server, prefix } = inject('testServer')
  const name = `${prefix}_migrate`
  await execute(server, `create database ${name}`)
  const connection = toDatabase(server, name)
  const migrated: object[] = []
  const log = {
    ...silentLog,
    info: (...said: [string] | [object, string]) => {
      if (typeof said[0] === 'object') migrated.push(said[0])
    },
  }

  await Promise.all([migrate(connection, log), migrate(connection, log), migrate(connection, log)])

  const { pool, close } = openDatabase(connection, {
    max: 1,
    applicationName: 'a test',
    asOwner: true,
  })
  const { rows } = await pool.query('select name as migration from kysely_migration order by name')
  expect(rows.length).toBeGreaterThan(0)
  expect(migrated).toHaveLength(rows.length)
  expect(migrated).toEqual(expect.arrayContaining(rows))
  await close()
  await execute(server, `drop database ${name}`)
})

test('a user who lacks the rights is told what an administrator has to run', async () => {
  const { connection: server, prefix } = inject('testServer')
  const plain = `${prefix}_plain`
  await execute(server, `create role ${plain} nologin`)
  await execute(server, `grant ${plain} to current_user`)
  await execute(server, `create database ${plain} owner ${plain}`)
  const connection = withSettings(toDatabase(server, plain), { role: plain })

  await expect(migrate(connection, silentLog)).rejects.toThrow('grant tallyroom_app to ')

  await execute(server, `drop database ${plain}`)
  await execute(server, `drop role ${plain}`)
})
