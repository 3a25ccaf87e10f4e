import { appendFile, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../src/db/connection.ts'
import { type Binaries, provideBinaries } from '../../src/db/engine/binaries.ts'
import { type Cluster, run } from '../../src/db/engine/cluster.ts'
import { superuser, urlOf } from '../../src/db/engine/endpoint.ts'
import { isAlive } from '../../src/db/engine/is-alive.ts'
import { engineUser } from '../../src/db/engine/os-user.ts'
import { launchPostmaster, stopPostmaster } from '../../src/db/engine/postmaster.ts'
import { findPort } from './app-process.ts'

/** A separate PostgreSQL server for a test, reached over TCP. */
export type PostgresServer = {
  connection: Connection
  version: string
  /** Its first process, as it runs now. */
  pid(): number
  start(): Promise<void>
  /** As an administrator does it: sessions are ended, and everything committed is on disk. */
  stop(): Promise<void>
  /** `kill -9` of all of its processes. */
  kill(): Promise<void>
  /** See {@link freezeTree}. */
  freeze(): Promise<() => void>
}

/**
 * Creates and starts a server in a folder: Debian's newest if installed, otherwise the bundled one. With `settings`, it
 * is a machine of a cluster, and the others need no password.
 */
export async function startPostgres(
  dataDir: string,
  settings?: Record<string, string | number>,
): Promise<PostgresServer> {
  const cluster = await clusterIn(dataDir)
  const { dataFolder, binaries, user } = cluster
  const passwordFile = join(dataDir, 'password')
  await mkdir(dataFolder, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  for (const path of user.ids ? [dataFolder, passwordFile] : []) {
    await chown(path, user.ids?.uid ?? 0, user.ids?.gid ?? 0)
  }
  await run(
    binaries.program('initdb'),
    [
      `--pgdata=${dataFolder}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      `--auth=${settings ? 'trust' : 'scram-sha-256'}`,
      '--encoding=UTF8',
      '--locale=C',
    ],
    user,
  )
  const lines = Object.entries(settings ?? {}).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(dataFolder, 'postgresql.conf'), lines.join(''))

  return serve(cluster)
}

/** Starts a copy of a machine of a cluster in a folder, which follows it until it is promoted. Needs Debian's PostgreSQL. */
export async function startStandby(of: PostgresServer, dataDir: string): Promise<PostgresServer> {
  const cluster = await clusterIn(dataDir)
  const { dataFolder, binaries, user } = cluster
  await mkdir(dataFolder, { mode: 0o700 })
  if (user.ids) await chown(dataFolder, user.ids.uid, user.ids.gid)
  const { hostname, port } = new URL(of.connection.url)
  await run(
    join(dirname(binaries.program('pg_ctl')), 'pg_basebackup'),
    [
      `--pgdata=${dataFolder}`,
      `--host=${hostname}`,
      `--port=${port}`,
      `--username=${superuser}`,
      '--checkpoint=fast',
      '--write-recovery-conf',
    ],
    user,
  )
  return serve(cluster)
}

const password = 'only on loopback'

async function clusterIn(dataDir: string): Promise<Cluster> {
  const dataFolder = join(dataDir, 'data')
  return {
    dataDir,
    dataFolder,
    binaries: (await findDebians()) ?? (await provideBinaries(join(dataDir, 'engine'))),
    user: await engineUser(dataFolder),
  }
}

async function serve(cluster: Cluster): Promise<PostgresServer> {
  const place = { host: '127.0.0.1', port: await findPort() }
  const endpoint = { transport: 'tcp', ...place, password } as const
  let pid = 0

  async function start(): Promise<void> {
    ;({ pid } = await launchPostmaster(cluster, endpoint, true))
    const deadline = performance.now() + 60_000
    while (!(await takesSessions())) {
      if (performance.now() > deadline || !isAlive(pid)) {
        throw new Error(await readFile(join(cluster.dataDir, 'postgres.log'), 'utf8'))
      }
      await sleep(50)
    }
  }

  async function takesSessions(): Promise<boolean> {
    const session = new pg.Client({ connectionString: urlOf(endpoint, 'postgres') })
    session.on('error', () => undefined)
    try {
      await session.connect()
      return true
    } catch {
      return false
    } finally {
      await session.end().catch(() => undefined)
    }
  }

  await start()
  return {
    connection: { kind: 'server', url: urlOf(endpoint, 'postgres') },
    version: cluster.binaries.version,
    pid: () => pid,
    start,
    stop: () => stopPostmaster(pid, cluster),
    kill: () => killTree(pid),
    freeze: () => freezeTree(pid),
  }
}

/** Ends PostgreSQL as a power failure would, except that the system keeps its unwritten buffers. */
export async function killTree(pid: number): Promise<void> {
  // A session that outlives its parent would keep the next start from its shared memory.
  const all = await stopTree(pid)
  for (const one of all) signal(one, 'SIGKILL')
  while (all.some(isAlive)) await sleep(10)
}

/**
 * Pauses all of its processes. Sessions stay open and new ones are accepted, but nobody answers.
 */
export async function freezeTree(pid: number): Promise<() => void> {
  const frozen = await stopTree(pid)
  return () => {
    for (const one of frozen.toReversed()) signal(one, 'SIGCONT')
  }
}

/** Stops the parent first, so that it can't start more children while they are being looked for. */
async function stopTree(pid: number): Promise<number[]> {
  const stopped: number[] = []
  for (let before = -1; before < stopped.length;) {
    before = stopped.length
    for (const one of await familyOf(pid)) {
      if (stopped.includes(one)) continue
      signal(one, 'SIGSTOP')
      stopped.push(one)
    }
  }
  return stopped
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** A process and its children, according to Linux. PostgreSQL's children have none. */
async function familyOf(pid: number): Promise<number[]> {
  const family = [pid]
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent === pid) family.push(Number(name))
  }
  return family
}

export async function findDebians(): Promise<Binaries | undefined> {
  const home = '/usr/lib/postgresql'
  const versions = await readdir(home).catch(() => [])
  const newest = versions
    .map(Number)
    .filter(Number.isFinite)
    .toSorted((a, b) => b - a)[0]
  if (newest === undefined) return undefined
  return {
    version: String(newest),
    major: newest,
    program: (name) => join(home, String(newest), 'bin', name),
  }
}
