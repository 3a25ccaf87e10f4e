import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The real server as a child process in its own process group. */
export type AppProcess = {
  url: string
  /** Starts it without waiting for it. */
  launch(): void
  /** Waits until it is ready. Throws if it exits instead. */
  untilReady(): Promise<void>
  start(): Promise<void>
  /** `kill -9` of all of its processes at once. */
  kill(): Promise<void>
  /** Restarts its workers one after another; resolves when all are replaced or there turns out to be only one. */
  restartWorkers(): Promise<void>
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
  /** Shifts the clock of a single process by this much. */
  shiftClock(ms: number): void
  /** The status of `/api/health`; undefined while there is no response. */
  health(): Promise<number | undefined>
}

const program = join(import.meta.dirname, '../../src/server.ts')
const guards = ['end-with-parent.ts', 'shifted-clock.ts'].flatMap((name) => [
  '--import',
  new URL(name, import.meta.url).href,
])

/** A server that is not running yet. Every start uses the same port and folder. */
export async function makeApp(options: {
  dataDir: string
  /** Undefined means the embedded engine. */
  databaseUrl?: string
  processes?: number
  environment?: Record<string, string>
}): Promise<AppProcess> {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const logFile = `${options.dataDir}.log`
  let child: ChildProcess | undefined

  function launch(): void {
    const log = openSync(logFile, 'a', 0o600)
    child = spawn(process.execPath, [...guards, program], {
      detached: true,
      stdio: ['pipe', log, log],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: '',
        METRICS_PORT: '',
        DATA_DIR: options.dataDir,
        DATABASE_URL: options.databaseUrl ?? '',
        REPORT_DATABASE_URL: '',
        SECRET_KEY_FILE: '',
        SEED: 'none',
        CAPTCHA: 'off',
        TRUST_PROXY: '1',
        WEB_CONCURRENCY: String(options.processes ?? 1),
        LOG_LEVEL: 'warn',
        ...options.environment,
      },
    })
    closeSync(log)
  }

  const hasEnded = () => !child || child.exitCode !== null || child.signalCode !== null

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!child?.pid || hasEnded()) return
    const exited = once(child, 'exit')
    // Signal the whole group, like a terminal, so that a kill reaches the workers too.
    process.kill(-child.pid, signal)
    await exited
  }

  async function health(): Promise<number | undefined> {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    return answer?.status
  }

  async function untilReady(): Promise<void> {
    const deadline = performance.now() + 60_000
    while ((await health()) !== 200) {
      if (hasEnded() || performance.now() > deadline) {
        throw new Error(`The server is not ready:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)
      }
      await sleep(50)
    }
  }

  async function restartWorkers(): Promise<void> {
    const before = readFileSync(logFile).length
    process.kill(child?.pid ?? 0, 'SIGUSR2')
    const deadline = performance.now() + 60_000
    while (!RESTARTED.test(readFileSync(logFile).toString('utf8', before))) {
      if (hasEnded() || performance.now() > deadline)
        throw new Error(`The restart does not end:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)
      await sleep(50)
    }
  }

  return {
    url,
    restartWorkers,
    shiftClock: (ms) => void child?.stdin?.write(`${ms}\n`),
    launch,
    health,
    untilReady,
    start: () => {
      launch()
      return untilReady()
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

const RESTARTED = /all workers were restarted|not restarted/

const portsOfWorker = 1_000
const firstPort = 20_000 + portsOfWorker * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 12)
let nextPort = Math.floor(Math.random() * portsOfWorker)

/**
 * A free port below the ephemeral range, where a client can by chance connect to itself. Test files that run side by
 * side draw from ranges of their own: a port is free until its server listens, and again while the server is down.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = firstPort + (nextPort++ % portsOfWorker)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((closed) => probe.close(closed))
    return port
  }
}
