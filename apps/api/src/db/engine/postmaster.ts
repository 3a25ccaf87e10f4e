import { spawn, spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, plainEnvironment, run } from './cluster.ts'
import { type Endpoint, socketPath } from './endpoint.ts'
import { isAlive } from './is-alive.ts'
import { explainUnreachable } from './os-user.ts'
import { measureMachine, settingsFor } from './settings.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** The log is rotated above this size; one older log is kept. */
const longestLogBytes = 10 * 1024 * 1024

/**
 * The process id of the PostgreSQL that runs on this data folder, even if its parent has died. Ignores a stale
 * `postmaster.pid` whose process id now belongs to another program.
 */
export async function findPostmaster(dataFolder: string): Promise<number | undefined> {
  const file = join(dataFolder, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const pid = Number.parseInt(text, 10)
  if (!Number.isInteger(pid) || !isAlive(pid)) return undefined
  return (await runsOn(pid, dataFolder)) ? pid : undefined
}

async function runsOn(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') {
    // Readable by everybody, unlike the process's working directory.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const args = command.split('\0')
    const folder = args[args.indexOf('-D') + 1]
    return /postgres/.test(args[0] ?? '') && folder !== undefined && isSame(folder, dataFolder)
  }
  const found = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return found.stdout.includes(dataFolder)
}

function isSame(left: string, right: string): boolean {
  return existsSync(left) && realpathSync(left) === realpathSync(right)
}

/**
 * Removes the lock files of a dead PostgreSQL. It would refuse to start if the process id now belongs to
 * another program, or was not reaped yet.
 */
export async function forgetDeadPostmaster(dataFolder: string, endpoint: Endpoint): Promise<void> {
  if ((await findPostmaster(dataFolder)) !== undefined) return
  await rm(join(dataFolder, 'postmaster.pid'), { force: true })
  if (endpoint.transport === 'socket') {
    await rm(`${socketPath(endpoint.dir)}.lock`, { force: true })
  }
}

export type Launch = {
  pid: number
  /** Settles when the process ends. */
  ended: Promise<void>
  /** What it has logged since this start. */
  said(): Promise<string>
}

/** Starts PostgreSQL. It may outlive this process; the next start then finds it with {@link findPostmaster}. */
export async function launchPostmaster(
  { dataDir, dataFolder, binaries, user }: Cluster,
  endpoint: Endpoint,
  durable: boolean,
): Promise<Launch> {
  const logPath = join(dataDir, 'postgres.log')
  const logSize = await rotate(logPath)
  const log = await open(logPath, 'a', 0o600)
  const program = binaries.program('postgres')
  // Test databases are small, and many run at once.
  const fitting = durable ? settingsFor(await measureMachine(dataFolder)) : {}
  const child = spawn(program, ['-D', dataFolder, ...flags(endpoint, durable, fitting)], {
    ...user.ids,
    cwd: '/',
    env: plainEnvironment,
    // In its own process group: Ctrl+C goes to the app, which stops PostgreSQL last.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  try {
    await new Promise((started, failed) => child.once('spawn', started).once('error', failed))
  } catch (error) {
    throw new OperatorError(await explainUnreachable(program, user), { cause: error })
  } finally {
    await log.close()
  }
  child.unref()
  return {
    pid: child.pid ?? 0,
    ended,
    said: async () => (await readFile(logPath)).subarray(logSize).toString().trim(),
  }
}

function flags(endpoint: Endpoint, durable: boolean, fitting: Record<string, string>): string[] {
  const listen =
    endpoint.transport === 'socket'
      ? {
          listen_addresses: '',
          unix_socket_directories: `"${endpoint.dir}"`,
          unix_socket_permissions: '0700',
        }
      : { listen_addresses: endpoint.host, unix_socket_directories: '' }
  const settings = {
    ...listen,
    port: endpoint.port,
    max_connections: 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Failed statements may contain user input.
    log_min_error_statement: 'panic',
    ...fitting,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function rotate(path: string): Promise<number> {
  const size = await stat(path).then(
    (entry) => entry.size,
    () => 0,
  )
  if (size <= longestLogBytes) return size
  await rename(path, `${path}.1`)
  return 0
}

/** Stops PostgreSQL: rolls back open transactions and flushes everything committed. */
export async function stopPostmaster(pid: number, cluster: Cluster): Promise<void> {
  if (process.platform === 'win32') {
    const { binaries, dataFolder, user } = cluster
    await run(binaries.program('pg_ctl'), ['stop', '-D', dataFolder, '-m', 'fast', '-w'], user)
    return
  }
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    return // already gone
  }
  while (isAlive(pid)) await sleep(20)
}

/** Kills PostgreSQL immediately, for a database that is about to be deleted. */
export async function killPostmaster(pid: number): Promise<void> {
  process.kill(pid, process.platform === 'win32' ? 'SIGKILL' : 'SIGQUIT')
  while (isAlive(pid)) await sleep(20)
}
