import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { type Config, ConfigError, parseConfig } from './config.ts'
import type { Connection } from './db/connection.ts'
import { resolveConnection } from './db/resolve-connection.ts'
import { provideSecrets } from './lib/secrets.ts'
import { onStopSignal, stopSignals } from './lib/stop-signals.ts'
import { announceReady } from './start/announce.ts'
import { serveMetrics } from './start/metrics.ts'
import { prepareDatabase } from './start/prepare.ts'
import { makeLogger, serve } from './start/serve.ts'
import { whenReachable } from './start/when-reachable.ts'
import { keepWorkers } from './start/workers.ts'

/** How long work that is under way may take when the process is asked to stop. */
const graceMs = 15_000

/** Starts the serving processes anew, one after the other. */
const restartSignal = 'SIGUSR2' as const

/** These are heard by `onStopSignal`, which knows a repeated signal from a second one, or by `leadWorkers`. */
const skip = [...stopSignals, restartSignal]

/** What the first process tells the others, which don't look for the database themselves. */
const connectionVariable = 'TALLYROOM_CONNECTION'

try {
  const config = parseConfig(process.env)
  if (cluster.isWorker) await work(config, connectionFromParent())
  else await lead(config)
} catch (error) {
  const expected = error instanceof ConfigError
  console.error(expected ? error.message : error)
  process.exit(expected ? 78 : 1)
}

/** The first process: owns the database engine, prepares the database, then serves or has others serve. */
async function lead(config: Config): Promise<void> {
  const log = makeLogger(config.logLevel)
  const { connection, stop } = await resolveConnection(config, log)
  const secrets = await provideSecrets(config.secretKeyFile)
  const prepared = await whenReachable(config, log, () =>
    prepareDatabase(config, connection, secrets, log),
  )

  const serving =
    config.webConcurrency > 1
      ? await leadWorkers(config, connection, log)
      : await serve(config, connection, secrets, log)
  const metrics = await serveMetrics(config)
  announceReady(config, connection, prepared)

  const closing = closeWithGrace({ delay: graceMs, logger: log, skip }, async () => {
    await metrics?.stop()
    await serving.stop()
    await stop()
  })
  onStopSignal(() => closing.close())
}

async function leadWorkers(config: Config, connection: Connection, log: Logger) {
  const workers = await keepWorkers(
    config.webConcurrency,
    { [connectionVariable]: JSON.stringify(connection) },
    log,
  )
  process.on(restartSignal, () => void workers.restart())
  return workers
}

/** One of several serving processes. */
async function work(config: Config, connection: Connection): Promise<void> {
  const log = makeLogger(config.logLevel)
  const secrets = await provideSecrets(config.secretKeyFile)
  const serving = await serve(config, connection, secrets, log)
  process.send?.('serving')
  const closing = closeWithGrace({ delay: graceMs, logger: log, skip }, () => serving.stop())
  onStopSignal(() => closing.close())
}

function connectionFromParent(): Connection {
  const text = process.env[connectionVariable]
  if (text === undefined) throw new Error(`${connectionVariable} is missing`)
  return JSON.parse(text) as Connection // written by the parent process a moment ago
}
