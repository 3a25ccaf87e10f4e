import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../lib/log/log.ts'
import type { Connection } from '../connection.ts'
import { errorCode, isUnavailable } from '../transaction.ts'
import { provideBinaries, removeOtherVersions } from './binaries.ts'
import { type Cluster, provideCluster } from './cluster.ts'
import { type Endpoint, isListening, socketEndpoint, tcpEndpoint, urlOf } from './endpoint.ts'
import { isAlive } from './is-alive.ts'
import { engineUser } from './os-user.ts'
import {
  findPostmaster,
  forgetDeadPostmaster,
  launchPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { OperatorError } from '../../lib/operator-error.ts'

export type Engine = {
  connection: Connection
  /** PostgreSQL's process id. It changes if PostgreSQL is restarted. */
  readonly pid: number
  /** Stops PostgreSQL, unless another process still uses it and will stop it later. */
  stop(): Promise<void>
}

export type EngineOptions = {
  dataDir: string
  log: Log
  /** `false` never waits for the disk. For tests only: a power failure destroys the database. */
  durable?: boolean
  /** How the app connects: by default with a Unix socket where available. */
  transport?: Endpoint['transport']
}

const databaseName = 'tallyroom'

/** After a crash, a start replays the write-ahead log, which may be slow. */
const longestStartMs = 120_000

/**
 * Starts the PostgreSQL of this data folder, or joins a running one: that of a killed process or of one still
 * at work. While this process lives, it restarts a PostgreSQL that dies.
 *
 * @throws with a message for the operator if it cannot run here.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { log, durable = true } = options
  const transport = options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket')
  const dataDir = resolve(options.dataDir)
  const engineDir = join(dataDir, 'engine')
  const dataFolder = join(dataDir, 'postgres')
  const user = await engineUser(dataFolder)
  await provideDataDir(dataDir)
  const binaries = await provideBinaries(engineDir)
  const cluster: Cluster = { dataDir, dataFolder, binaries, user }
  const endpoint =
    transport === 'tcp' ? await tcpEndpoint(dataDir) : await socketEndpoint(dataDir, user, log)

  if ((await findPostmaster(dataFolder)) === undefined) {
    await provideCluster(cluster, endpoint)
    await removeOtherVersions(engineDir, binaries.version)
  }

  let stopping = false
  let reviving: Promise<void> | undefined
  let { pid, presence } = await comeUp(cluster, endpoint, durable, log)
  await createDatabase(presence)
  watch(presence)

  /** Our one permanent session shows others that the engine is in use, and shows us when it is gone. */
  function watch(session: pg.Client): void {
    session.once('end', () => {
      if (stopping) return
      log.error({ pid }, 'PostgreSQL has stopped: restarting it')
      reviving = revive()
    })
  }

  async function revive(): Promise<void> {
    while (!stopping) {
      try {
        ;({ pid, presence } = await comeUp(cluster, endpoint, durable, log))
        watch(presence)
        return
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be restarted: retrying')
        await sleep(1_000, undefined, { ref: false })
      }
    }
  }

  return {
    connection: { kind: 'embedded', url: urlOf(endpoint, databaseName) },
    get pid() {
      return pid
    },
    async stop() {
      if (stopping) return
      stopping = true
      await reviving
      const shared = await othersAreConnected(presence)
      await presence.end().catch(() => undefined)
      if (shared) {
        log.info({ pid }, 'leaving PostgreSQL running: another process uses it')
        return
      }
      await stopPostmaster(pid, cluster)
      log.debug({ pid }, 'PostgreSQL has stopped')
    },
  }
}

async function provideDataDir(dataDir: string): Promise<void> {
  const engineDir = join(dataDir, 'engine')
  const firstMade = await mkdir(engineDir, { recursive: true })
  if (firstMade === undefined) return
  // Regardless of the umask, the engine's user can pass through to its own folder, but not list this one.
  await chmod(engineDir, 0o755)
  for (let dir = dataDir; dir.startsWith(firstMade); dir = dirname(dir)) await chmod(dir, 0o711)
}

type Up = { pid: number; presence: pg.Client }

/** Joins or starts PostgreSQL, whichever works first: two processes may be doing this at once. */
async function comeUp(
  cluster: Cluster,
  endpoint: Endpoint,
  durable: boolean,
  log: Log,
): Promise<Up> {
  const deadline = performance.now() + longestStartMs
  let failures = 0
  for (;;) {
    const running = await findPostmaster(cluster.dataFolder)
    if (running !== undefined) {
      const presence = await connectTo(running, endpoint, deadline)
      if (presence) {
        log.info({ pid: running }, 'joined the running PostgreSQL')
        return { pid: running, presence }
      }
      continue
    }
    // Two containers that share a folder cannot see each other's processes, but would both write.
    if (await isListening(endpoint)) {
      if ((await findPostmaster(cluster.dataFolder)) !== undefined) continue
      throw new OperatorError(
        `Another container or machine runs the database in ${cluster.dataFolder}. Stop it first.`,
      )
    }
    await forgetDeadPostmaster(cluster.dataFolder, endpoint)
    const launch = await launchPostmaster(cluster, endpoint, durable)
    let ended = false
    void launch.ended.then(() => (ended = true))
    const presence = await connectTo(launch.pid, endpoint, deadline, () => ended)
    if (presence) return { pid: launch.pid, presence }
    const said = await launch.said()
    failures++
    // Another process was faster, or processes of a killed PostgreSQL are still ending.
    const passing = /lock file .* already exists|shared memory block|could not lock/.test(said)
    if (!passing || failures > 40 || performance.now() > deadline) {
      throw new OperatorError(`PostgreSQL did not start:\n${said.split('\n').slice(-8).join('\n')}`)
    }
    await sleep(250)
  }
}

/** Connects to the PostgreSQL with this process id once it accepts connections. Undefined if it has ended. */
async function connectTo(
  pid: number,
  endpoint: Endpoint,
  deadline: number,
  hasEnded = () => false,
): Promise<pg.Client | undefined> {
  while (performance.now() < deadline) {
    const client = new pg.Client({
      connectionString: urlOf(endpoint, 'postgres'),
      application_name: presenceName,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => undefined) // 'end' follows
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      if (!isUnavailable(error)) throw error
    }
    await sleep(20)
    if (hasEnded() || !isAlive(pid)) return undefined
  }
  throw new OperatorError(`PostgreSQL (process ${pid}) runs but takes no connections.`)
}

const presenceName = 'tallyroom engine'

async function createDatabase(session: pg.Client): Promise<void> {
  const found = await session.query('select from pg_database where datname = $1', [databaseName])
  if (found.rowCount) return
  try {
    await session.query(`create database ${databaseName}`)
  } catch (error) {
    // Another process was faster: 42P04 if it had finished, 23505 if not.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error
  }
}

async function othersAreConnected(session: pg.Client): Promise<boolean> {
  try {
    const { rowCount } = await session.query(
      `select from pg_stat_activity
       where application_name = $1 and pid <> pg_backend_pid()`,
      [presenceName],
    )
    return rowCount !== null && rowCount > 0
  } catch {
    return false // it has ended or does not respond: nobody uses it
  }
}
