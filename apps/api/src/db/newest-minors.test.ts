import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { silentLog } from '../lib/log/log.ts'
import { openDatabase } from './database.ts'
import { findEngineVersion, newerMinor, newestMinors, sayVersion } from './newest-minors.ts'

test.each([
  [180_004, '18.7'],
  [180_007, undefined],
  [180_008, undefined],
  [150_019, '15.20'],
  [150_020, undefined],
  [190_000, undefined],
])('a server of version number %i should be updated to %s', (number, newer) => {
  expect(newerMinor(number)).toBe(newer)
})

test('a server is to be updated; of the embedded one, another is to be used', async () => {
  const { connection } = await testDatabase()
  const { db, close } = openDatabase(connection, { max: 1, applicationName: 'test' })
  const found = await findEngineVersion(db, { ...connection, kind: 'embedded' })
  const [, major = '', minor = ''] = /^PostgreSQL (\d+)\.(\d+)$/.exec(found.version) ?? []
  expect(Object.keys(newestMinors)).toContain(major)
  const isOld = Number(minor) < (newestMinors[Number(major)] ?? 0)
  const server = await findEngineVersion(db, { ...connection, kind: 'server' })
  expect(found.advice ?? 'none').toMatch(isOld ? /DATABASE_URL/ : /^none$/)
  expect(server.advice ?? 'none').toMatch(isOld ? /^update it to / : /^none$/)
  await close()
})

test('the log warns of an old version, but not in a demo', () => {
  const old = { version: 'PostgreSQL 18.4', advice: 'update it to 18.7 or newer' }
  const said: string[] = []
  const log = {
    ...silentLog,
    info: (words: unknown) => void said.push(`info: ${String(words)}`),
    warn: (words: unknown) => void said.push(`warn: ${String(words)}`),
  }
  sayVersion(log, old, false)
  sayVersion(log, old, true)
  sayVersion(log, { version: 'PostgreSQL 18.7', advice: undefined }, false)
  expect(said).toEqual([
    'warn: the database is PostgreSQL 18.4: update it to 18.7 or newer',
    'info: the database is PostgreSQL 18.4: update it to 18.7 or newer',
    'info: the database is PostgreSQL 18.7',
  ])
})
