import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { execute } from '../../test/test-server.ts'
import { silentLog } from '../lib/log/log.ts'
import { provideAppLogin } from './app-login.ts'
import { type Connection, toDatabase } from './connection.ts'
import { openDatabase } from './database.ts'
import { startEngine } from './engine/start-engine.ts'
import { errorCode } from './transaction.ts'

const { connection } = await testDatabase({ layout: 'together' })
const app = openDatabase(connection, { max: 2, applicationName: 'app' })
const owner = openDatabase(connection, { max: 2, applicationName: 'owner', asOwner: true })
afterAll(() => Promise.all([app.close(), owner.close()]))
const { rows } = await owner.pool.query<{ name: string }>('select session_user::text as name')
const ownerName = rows[0]?.name ?? ''

const NOT_ALLOWED = '42501'
const kind = 'server'

describe.runIf(connection.appUrl !== undefined)('a session of the app', () => {
  test.each([
    ['takes the owner’s role', `set role "${ownerName}"`],
    ['becomes the owner', `set session authorization "${ownerName}"`],
    ['makes itself a superuser', 'alter role tallyroom_app superuser'],
    ['lets itself make roles', 'alter role tallyroom_app createrole'],
    ['makes itself the owner', `grant "${ownerName}" to tallyroom_app`],
    ['takes a table', 'alter table sale_events owner to tallyroom_app'],
    [
      'grants itself a right',
      'grant delete on sale_events to tallyroom_app; delete from sale_events',
    ],
    ['runs a program', `copy agents to program 'cat'`],
    ['writes a file', `copy agents to '/tmp/agents'`],
    ['changes a setting of the server', 'alter system set fsync to off'],
    ['gives up its role, and deletes', 'reset role; delete from sale_events'],
    ['takes no role, and deletes', 'set role none; delete from sale_events'],
    ['is reset, and deletes', 'reset session authorization; delete from sale_events'],
  ])('never %s', async (_, statement) => {
    const session = await app.pool.connect()
    const error = await session.query(statement).catch((reason: unknown) => reason)
    session.release(true)
    expect(errorCode(error)).toBe(NOT_ALLOWED)
  })

  test('is the app’s, whatever it resets', async () => {
    const session = await app.pool.connect()
    await session.query('reset role')
    const { rows: who } = await session.query('select session_user, current_user')
    session.release(true)
    expect(who).toEqual([{ session_user: 'tallyroom_app', current_user: 'tallyroom_app' }])
  })
})

describe('a server', () => {
  const told: string[] = []
  const log = { ...silentLog, warn: (...words: unknown[]) => void told.push(words.join(' ')) }
  const refusal = async (given: Connection) => {
    const error: unknown = await provideAppLogin(given, owner.db, log).catch((one: unknown) => one)
    return error instanceof Error ? error.message : error
  }

  test('without APP_DATABASE_URL is used as its owner, and the start says so', async () => {
    const given = { kind, url: connection.url } as const
    expect(await provideAppLogin(given, owner.db, log)).toEqual(given)
    expect(told.join()).toContain('signs in to the database as its owner')
  })

  test('refuses an APP_DATABASE_URL whose user can become the owner', async () => {
    expect(await refusal({ kind, url: connection.url, appUrl: connection.url })).toMatch(
      /APP_DATABASE_URL signs in .*, who can become .*it needs a user who is only a member of tallyroom_app/,
    )
  })

  test.runIf(connection.appUrl !== undefined)(
    'refuses an APP_DATABASE_URL of another database',
    async () => {
      const { appUrl } = toDatabase(connection, 'postgres')
      expect(await refusal({ ...connection, kind, ...(appUrl && { appUrl }) })).toContain(
        'names another database than DATABASE_URL',
      )
    },
  )
})

describe('the embedded engine', () => {
  test.each(['socket', 'tcp'] as const)(
    'by %s lets the app sign in as its role, the next start too, and an older engine as before',
    async (transport) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-login-'))
      await chmod(dataDir, 0o711)
      const engine = await startEngine({ dataDir, log: silentLog, durable: false, transport })
      const own = openDatabase(engine.connection, {
        max: 1,
        applicationName: 'owner',
        asOwner: true,
      })
      try {
        await execute(engine.connection, 'create role tallyroom_app nologin')
        const first = await provideAppLogin(engine.connection, own.db, silentLog)
        expect(new URL(first.appUrl ?? '').username).toBe('tallyroom_app')
        expect(await provideAppLogin(engine.connection, own.db, silentLog)).toEqual(first)
        expect(await userOf(first)).toBe('tallyroom_app')
        if (transport === 'tcp') return
        // As an earlier release wrote it.
        const file = join(dataDir, 'postgres/pg_ident.conf')
        const text = await readFile(file, 'utf8')
        await writeFile(file, text.replaceAll(/^.* tallyroom_app$/gm, ''))
        await own.pool.query('select pg_reload_conf(), pg_sleep(0.2)')
        const joined = await provideAppLogin(engine.connection, own.db, silentLog)
        expect(joined).toEqual(engine.connection)
        expect(await userOf(joined)).toBe('tallyroom')
      } finally {
        await own.close()
        await engine.stop()
        await rm(dataDir, { recursive: true, force: true })
      }
    },
  )

  async function userOf(given: Connection): Promise<unknown> {
    const own = openDatabase(given, { max: 1, applicationName: 'app' })
    const { rows: who } = await own.pool.query<{ user: string }>('select session_user as user')
    await own.close()
    return who[0]?.user
  }
})
