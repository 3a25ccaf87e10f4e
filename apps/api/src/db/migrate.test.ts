import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { execute } from '../../test/test-server.ts'
import { toDatabase, withSettings } from './connection.ts'
import { openDatabase } from './database.ts'
import { migrate, statementsOf } from './migrate.ts'
import { silentLog } from '../lib/log/log.ts'

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

test('a text is split into its statements', () => {
  expect(
    statementsOf(`
      -- a comment; with a semicolon, and it's not closed
      create table a (b text default 'x;''y'); /* ; */
      do $$ begin perform 1; end $$;
      create function f() returns int as $body$ select '$$;'; $body$ language sql;
      select "a;b" - 1 / 2 from c where d = $1;;
      select 1`),
  ).toEqual([
    "create table a (b text default 'x;''y')",
    'do $$ begin perform 1; end $$',
    "create function f() returns int as $body$ select '$$;'; $body$ language sql",
    'select "a;b" - 1 / 2 from c where d = $1',
    'select 1',
  ])
})

const folder = join(import.meta.dirname, '../../migrations')

test.each(readdirSync(folder))('%s consists of whole statements', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  const statements = statementsOf(text)
  const begins =
    /^(create|alter|drop|insert|update|delete|grant|revoke|do|comment|select|with|set local|lock|truncate|analyze|reset)\s/i
  expect(statements.filter((statement) => !begins.test(statement))).toEqual([])
  expect(statements.filter((statement) => /;\s*\S/.test(withoutTexts(statement)))).toEqual([])
  expect(text).not.toMatch(/\/\*[^*]*\/\*|\be'|\bbegin\s+atomic\b/i)
})

const withoutTexts = (statement: string) =>
  statement.replaceAll(/(\$\w*\$)[^]*?\1|'(?:[^']|'')*'|"[^"]*"/g, '')

test('a worker of a cluster is not migrated', async () => {
  const database = await createTestDatabase({ schema: false })
  await execute(database.connection, 'create table pg_dist_local_group as select 1 as groupid')
  await expect(migrate(database.connection, silentLog)).rejects.toThrow('must name the coordinator')
  await database.close()
})
