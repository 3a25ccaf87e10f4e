import { afterAll, inject } from 'vitest'
import { type Connection, toDatabase } from '../src/db/connection.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { execute } from './test-server.ts'

export type TestDatabase = Database & { connection: Connection }

/**
 * A migrated, otherwise empty database of this test file's own, used as the app uses it: with the rights
 * of its role. Call it once at the top of the file, it goes away after the file's last test:
 *
 *     const { db } = await testDatabase()
 */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  afterAll(() => database.close())
  return database
}

let made = 0

/** The same for a test that needs more than one, destroys it, or begins without a schema. `close` removes it. */
export async function createTestDatabase({ schema = true } = {}): Promise<TestDatabase> {
  const { connection: server, template, prefix } = inject('testServer')
  const name = `${prefix}_${process.pid}_${++made}_${Math.random().toString(36).slice(2, 8)}`
  const templateName = new URL(template.url).pathname.slice(1)
  await execute(server, `create database ${name} ${schema ? `template ${templateName}` : ''}`)

  const connection = toDatabase(server, name)
  const database = openDatabase(connection, { max: 5, applicationName: 'tallyroom tests' })
  return {
    ...database,
    connection,
    async close() {
      await database.close()
      await execute(server, `drop database if exists ${name} with (force)`)
    },
  }
}
