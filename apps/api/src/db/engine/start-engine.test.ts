import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../lib/log/log.ts'
import type { Connection } from '../connection.ts'
import { isAlive } from './is-alive.ts'
import { findPostmaster, killPostmaster } from './postmaster.ts'
import { type Engine, type EngineOptions, startEngine } from './start-engine.ts'

const home = await mkdtemp(join(tmpdir(), 'tallyroom-engines-'))
await chmod(home, 0o711)
const engines: Engine[] = []
const processes: ChildProcess[] = []
let folders = 0

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const engine of engines.splice(0)) {
    await engine.stop()
    if (isAlive(engine.pid)) await killPostmaster(engine.pid)
  }
})

afterAll(() => rm(home, { recursive: true, force: true }))

const newDataDir = () => join(home, String(++folders))

async function start(dataDir: string, options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await startEngine({ dataDir, log: silentLog, ...options })
  engines.push(engine)
  return engine
}

/** Starts the engine in another process. Returns that process and PostgreSQL's process id. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const program = join(import.meta.dirname, '../../../test/engine-process.ts')
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SMTP_URL: 'smtp://me:hunter2@mail' },
  })
  processes.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer] // a number and a line end
  return { child, pid: Number(line.toString()) }
}

async function query(connection: Connection, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: connection.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10)
}

test('the first start creates a durable UTF-8 database, which the next one finds', async () => {
  const dataDir = newDataDir()
  const first = await start(dataDir)
  expect(
    await query(
      first.connection,
      `select current_database() as database, pg_encoding_to_char(encoding) as encoding, datlocprovider
         as provider, datlocale as locale, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums,
         current_setting('listen_addresses') as addresses, current_setting('timezone') as zone
       from pg_database where datname = current_database()`,
    ),
  ).toEqual([
    {
      database: 'tallyroom',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      fsync: 'on',
      commit: 'on',
      checksums: 'on',
      addresses: '',
      zone: 'UTC',
    },
  ])
  await query(first.connection, 'create table kept (id integer)')
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)

  const second = await start(dataDir)
  expect(await query(second.connection, 'select count(*)::int as rows from kept')).toEqual([
    { rows: 0 },
  ])
})

test('nobody else can read the data, and PostgreSQL does not get the app’s secrets', async () => {
  const dataDir = newDataDir()
  const { pid } = await startElsewhere(dataDir)
  for (const folder of ['postgres', 'run']) {
    expect((await stat(join(dataDir, folder))).mode & 0o077).toBe(0)
  }
  if (process.platform === 'linux') {
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('hunter2')
  }
  await start(dataDir)
})

describe('after a kill', () => {
  test('of PostgreSQL, it is restarted and has everything that was committed', async () => {
    const engine = await start(newDataDir())
    await query(engine.connection, 'create table kept as select 1 as id')
    const before = engine.pid
    process.kill(before, 'SIGKILL')
    while (engine.pid === before) await sleep(20)
    expect(await query(engine.connection, 'select id from kept')).toEqual([{ id: 1 }])
  })

  test('of the app, the next start joins the running PostgreSQL and stops it', async () => {
    const dataDir = newDataDir()
    const { child, pid } = await startElsewhere(dataDir)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isAlive(pid)).toBe(true)

    const engine = await start(dataDir)
    expect(engine.pid).toBe(pid)
    await engine.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('of both, the next start recovers everything that was committed', async () => {
    const dataDir = newDataDir()
    const { child, pid } = await startElsewhere(dataDir)
    const joined = await start(dataDir)
    await query(joined.connection, 'create table kept as select 1 as id')
    await joined.stop()
    child.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await untilGone(pid)

    const engine = await start(dataDir)
    expect(engine.pid).not.toBe(pid)
    expect(await query(engine.connection, 'select id from kept')).toEqual([{ id: 1 }])
  })

  test('a process id left by a crash may belong to another program', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    processes.push(stranger)
    const pidFile = join(dataDir, 'postgres/postmaster.pid')
    await writeFile(pidFile, `${stranger.pid}\n${dataDir}/postgres\n0\n5432\n${dataDir}/run\n\n`)

    expect(await findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
    const engine = await start(dataDir)
    expect(engine.pid).not.toBe(stranger.pid)
  })

  test('an interrupted first start is repeated', async () => {
    const dataDir = newDataDir()
    await mkdir(join(dataDir, 'postgres.999999999.tmp'), { recursive: true })
    await chmod(dataDir, 0o711)
    await start(dataDir)
    await expect(stat(join(dataDir, 'postgres.999999999.tmp'))).rejects.toThrow('ENOENT')
  })
})

test('processes that start at once share one PostgreSQL, and the last one stops it', async () => {
  const dataDir = newDataDir()
  const [first, second] = await Promise.all([start(dataDir), startElsewhere(dataDir)])
  expect(second.pid).toBe(first.pid)

  await first.stop()
  expect(isAlive(first.pid)).toBe(true)
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
  expect(isAlive(first.pid)).toBe(false)
})

test('if the path is too long for a socket, the socket is elsewhere, at the same place each time', async () => {
  const dataDir = join(newDataDir(), 'x'.repeat(90))
  const first = await start(dataDir)
  const { hostname } = new URL(first.connection.url)
  const socketDir = decodeURIComponent(hostname)
  expect(socketDir).not.toContain('xxx')
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  await first.stop()
  expect((await start(dataDir)).connection).toEqual(first.connection)
  await rm(socketDir, { recursive: true, force: true })
})

test('a folder with spaces and special characters in its name works', async () => {
  const engine = await start(join(newDataDir(), `a b'c%20é`))
  expect(await query(engine.connection, 'select 1 as value')).toEqual([{ value: 1 }])
})

test('without sockets, it uses loopback with a password', async () => {
  const dataDir = newDataDir()
  const engine = await start(dataDir, { transport: 'tcp' })
  expect(await query(engine.connection, 'select 1 as value')).toEqual([{ value: 1 }])
  const wrong = new URL(engine.connection.url)
  wrong.password = 'wrong'
  await expect(query({ kind: 'embedded', url: wrong.href }, 'select 1')).rejects.toThrow(/password/)
  await engine.stop()
  expect((await start(dataDir, { transport: 'tcp' })).connection).toEqual(engine.connection)
})

test('data of another major version is refused and not touched', async () => {
  const dataDir = newDataDir()
  await (await start(dataDir)).stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(start(dataDir)).rejects.toThrow('was made by PostgreSQL 17')
})

test.runIf(process.getuid?.() === 0)(
  'root is told which folder keeps the database user out',
  async () => {
    const closed = newDataDir()
    await mkdir(closed, { mode: 0o700 })
    await expect(start(join(closed, 'data'))).rejects.toThrow(
      `PostgreSQL runs as the user "nobody", who may not enter ${closed}. Allow it with: chmod o+x ${closed}`,
    )
  },
)
