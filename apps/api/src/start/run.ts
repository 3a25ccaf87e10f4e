import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { type Config, ConfigError, parseConfig, travelsOpenly } from '../config.ts'
import { sayVersion } from '../db/newest-minors.ts'
import { resolveConnection } from '../db/resolve-connection.ts'
import { FinalError } from '../lib/operator-error.ts'
import { provideSecrets } from '../lib/secrets.ts'
import { makeLogger, makeProgress } from '../lib/log/make-logger.ts'
import { onStopSignal, stopSignals } from '../lib/stop-signals.ts'
import { announceReady } from './announce.ts'
import { explain } from './explain.ts'
import type { FirstStage } from './first-stage.ts'
import { serveMetrics } from './metrics.ts'
import { prepareDatabase } from './prepare.ts'
import { serve } from './serve.ts'
import type { FoundDatabase } from './stores.ts'
import { whenReachable } from './when-reachable.ts'
import { keepWorkers } from './workers.ts'

/** How long running work may take after a stop signal. */
const graceMs = 15_000

/** Replaces the server processes one by one. */
const restartSignal = 'SIGUSR2' as const

/** Handled by `onStopSignal`, which distinguishes repeated signals from a second request, or by `lead`. */
const skip = [...stopSignals, restartSignal]

/** Passes the first process's database settings to the others. */
const databaseVariable = 'TALLYROOM_DATABASE'

/** @param stage answers on the port already. */
export async function run(stage: FirstStage | undefined): Promise<void> {
  try {
    const config = parseConfig(process.env)
    if (cluster.isWorker) await work(config, databaseFromParent())
    else await lead(config, stage)
  } catch (error) {
    console.error(explain(error))
    const isFinal = error instanceof ConfigError || error instanceof FinalError
    process.exit(isFinal ? 78 : 1)
  }
}

/** The first process: owns the database engine, prepares the database, then serves or starts workers. */
async function lead(config: Config, stage: FirstStage | undefined): Promise<void> {
  const log = await makeLogger(config)
  const progress = await makeProgress(config)
  const served = Promise.withResolvers<Serving>()
  const { databaseUrl, appDatabaseUrl, reportDatabaseUrl } = config
  if ([databaseUrl, appDatabaseUrl, reportDatabaseUrl].some((url) => url && travelsOpenly(url))) {
    log.warn('the connection to the database is not encrypted: add sslmode=verify-full to its URL')
  }
  // Registered first, because an unhandled signal ends the process.
  process.on(restartSignal, () => void served.promise.then((serving) => restart(serving, log)))
  const { connection, stop } = await (config.databaseUrl === undefined
    ? progress.step('Database engine', () => resolveConnection(config, log))
    : resolveConnection(config, log))
  const secrets = await provideSecrets(config.secretKeyFile)
  const prepared = await whenReachable(
    config,
    log,
    () => prepareDatabase(config, connection, secrets, log, progress),
    stage,
  )

  const { database, engine, demo } = prepared
  sayVersion(log, engine, demo)
  const serving: Serving = await progress.step<Serving>('Server', () =>
    config.webConcurrency > 1
      ? keepWorkers(config.webConcurrency, { [databaseVariable]: JSON.stringify(database) }, log)
      : serve(config, database, secrets, log, stage),
  )
  served.resolve(serving)
  const metrics = await serveMetrics(config)
  announceReady(config, connection, prepared)
  // Tells the supervisor, if there is one.
  if (process.connected) process.send?.('serving')

  const closing = closeWithGrace({ delay: graceMs, logger: log, skip }, async () => {
    await metrics?.stop()
    await serving.stop()
    await stop()
  })
  onStopSignal(() => closing.close())
}

type Serving = { stop(): Promise<void>; restart?(): Promise<void> }

async function restart(serving: Serving, log: Logger): Promise<void> {
  if (serving.restart) await serving.restart()
  else log.warn('not restarted: with a single process there would be downtime')
}

/** One of several server processes. */
async function work(config: Config, database: FoundDatabase): Promise<void> {
  const log = await makeLogger(config)
  const secrets = await provideSecrets(config.secretKeyFile)
  const serving = await serve(config, database, secrets, log)
  process.send?.('serving')
  const closing = closeWithGrace({ delay: graceMs, logger: log, skip }, () => serving.stop())
  onStopSignal(() => closing.close())
}

function databaseFromParent(): FoundDatabase {
  const text = process.env[databaseVariable]
  if (text === undefined) throw new Error(`${databaseVariable} is missing`)
  return JSON.parse(text) as FoundDatabase // written by the parent process
}
