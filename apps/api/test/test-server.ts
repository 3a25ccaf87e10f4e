import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { distribute } from '../src/db/citus/distribute.ts'
import type { Layout } from '../src/db/citus/layout.ts'
import { provideAppLogin } from '../src/db/app-login.ts'
import { appRole, type Connection, toDatabase, withSettings } from '../src/db/connection.ts'
import { openDatabase } from '../src/db/database.ts'
import { isAlive } from '../src/db/engine/is-alive.ts'
import { findPostmaster, killPostmaster } from '../src/db/engine/postmaster.ts'
import { startEngine } from '../src/db/engine/start-engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { errorCode } from '../src/db/transaction.ts'
import { silentLog } from '../src/lib/log/log.ts'

/** What the tests of one run share. Plain data, because it is sent to the workers. */
export type TestServer = {
  /** The server's URL, as a user who may create databases. */
  connection: Connection
  /** A migrated database without connections, so that it can be copied. */
  template: Connection
  /** The same, distributed: on a Citus coordinator, where building each test's own would take most of the time. */
  distributed?: Connection
  /** The prefix of this run's database names. */
  prefix: string
  /** Whether it is a Citus coordinator: every database of the tests is then distributed. */
  isCitus: boolean
  /** The layout of the tests' databases unless they specify one: see `createTestDatabase`. */
  layout: Layout
}

/**
 * The server of a test run: the one in `TEST_DATABASE_URL`, or else a separate embedded engine.
 * Several runs may go on at once. With `TEST_LAYOUT=distributed`, everything is written as on a
 * distributed database, whatever the server is.
 */
export async function startTestServer(): Promise<TestServer & { stop(): Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL']
  const { connection, stop } = url
    ? { connection: { kind: 'server' as const, url }, stop: async () => {} }
    : await startTestEngine()
  const prefix = `tallyroom_test_${randomBytes(4).toString('hex')}`
  const template = toDatabase(connection, `${prefix}_template`)
  await execute(connection, `create database ${prefix}_template`)
  await migrate(template, silentLog)
  const isCitus = await hasCitus(connection)
  return {
    connection: { ...connection, ...(await appUrlOf(connection, template)) },
    template,
    ...(isCitus && { distributed: await buildDistributed(connection, `${prefix}_distributed`) }),
    prefix,
    isCitus,
    layout: isCitus || process.env['TEST_LAYOUT'] === 'distributed' ? 'distributed' : 'together',
    async stop() {
      await dropDatabases(connection, prefix)
      await stop()
    },
  }
}

/** Makes a database a coordinator that holds the shards itself; workers would need every test's database too. */
export async function prepareCitus(connection: Connection): Promise<void> {
  await execute(connection, 'create extension citus')
  const { hostname, port } = new URL(connection.url)
  const node = `'${hostname || 'localhost'}', ${port || 5432}`
  await execute(connection, `select citus_set_coordinator_host(${node})`)
  await execute(connection, `select citus_set_node_property(${node}, 'shouldhaveshards', true)`)
}

async function buildDistributed(server: Connection, name: string): Promise<Connection> {
  const connection = toDatabase(server, name)
  await execute(server, `create database ${name}`)
  await prepareCitus(connection)
  await migrate(connection, silentLog)
  const few = withSettings(connection, { 'citus.shard_count': 4 })
  const owner = openDatabase(few, { max: 2, applicationName: 'tallyroom cli', asOwner: true })
  await distribute(owner.db)
  await owner.close()
  // The maintenance of Citus connects to each of its databases, and what is connected to can't be copied.
  await execute(server, `alter database ${name} allow_connections false`)
  await execute(
    server,
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${name}'`,
  )
  return connection
}

/** As the app signs in. A server may not let it; then its sessions are the owner's, as without APP_DATABASE_URL. */
async function appUrlOf(
  connection: Connection,
  template: Connection,
): Promise<Pick<Connection, 'appUrl'>> {
  const url = new URL(connection.url)
  url.username = appRole
  const given = { ...connection, appUrl: url.href }
  const owner = openDatabase(template, {
    max: 1,
    applicationName: 'tallyroom tests',
    asOwner: true,
  })
  try {
    if (connection.kind === 'server') await execute(connection, `alter role ${appRole} login`)
    const inTemplate = connection.kind === 'server' ? toDatabase(given, nameOf(template)) : template
    const { appUrl } = await provideAppLogin(inTemplate, owner.db, silentLog)
    return appUrl === undefined ? {} : toDatabase({ ...given, appUrl }, nameOf(connection))
  } catch {
    return {}
  } finally {
    await owner.close()
  }
}

export const nameOf = ({ url }: Connection): string => new URL(url).pathname.slice(1)

const folderPrefix = 'tallyroom-test-'

async function startTestEngine(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  await removeAbandoned()
  // Outside the project, which the engine's own user may be unable to reach.
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix))
  await chmod(dataDir, 0o711)
  await writeFile(join(dataDir, 'owner.pid'), String(process.pid))
  const engine = await startEngine({ dataDir, log: silentLog, durable: false })
  return {
    connection: engine.connection,
    async stop() {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Ends and removes engines left behind by killed runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dataDir = join(tmpdir(), name)
    if (!name.startsWith(folderPrefix) || !(await isAbandoned(dataDir))) continue
    const pid = await findPostmaster(join(dataDir, 'postgres'))
    if (pid !== undefined) await killPostmaster(pid)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function isAbandoned(dataDir: string): Promise<boolean> {
  const folder = await stat(dataDir).catch(() => undefined)
  if (!folder || folder.uid !== process.getuid?.()) return false
  const owner = await readFile(join(dataDir, 'owner.pid'), 'utf8').catch(() => undefined)
  // If it has no name yet, it may still be starting.
  if (!owner) return folder.mtimeMs < Date.now() - 60_000
  return !isAlive(Number(owner))
}

async function hasCitus(connection: Connection): Promise<boolean> {
  let version: string | null | undefined
  await session(connection, async (client) => {
    const { rows } = await client.query<{ version: string | null }>(
      `select current_setting('citus.version', true) as version`,
    )
    version = rows[0]?.version
  })
  return typeof version === 'string'
}

async function dropDatabases(connection: Connection, prefix: string): Promise<void> {
  await session(connection, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) await drop(client, datname)
  })
}

export const dropDatabase = (connection: Connection, name: string): Promise<void> =>
  session(connection, (client) => drop(client, name))

/** The SQLSTATE of a database that has sessions. */
const inUse = '55006'

/**
 * Only a superuser may end an autovacuum worker by `force`; without it, `drop database` waits five seconds for the
 * worker to end, which a busy machine may exceed. The maintenance of Citus may come back after `force` has ended it.
 */
async function drop(client: pg.Client, name: string): Promise<void> {
  const until = Date.now() + 60_000
  for (let force = 'with (force)'; ;) {
    try {
      await client.query(`drop database if exists ${name} ${force}`)
      return
    } catch (error) {
      const code = errorCode(error)
      if (code === '42501' && force) force = ''
      else if (code !== inUse || Date.now() > until) throw error
    }
  }
}

/**
 * One statement in a separate session, because `create database` and the like can't be part of a
 * transaction.
 */
export async function execute(connection: Connection, statement: string): Promise<void> {
  await session(connection, (client) => client.query(statement))
}

async function session(
  connection: Connection,
  fn: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: connection.url })
  await client.connect()
  try {
    await fn(client)
  } finally {
    await client.end()
  }
}
