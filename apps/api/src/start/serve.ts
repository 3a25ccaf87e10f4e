import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { healthEndpoints } from '@tallyroom/contract/operate/health'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AppServices, buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../db/connection.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { watchPulse } from '../db/pulse.ts'
import { systemClock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import { drain } from './drain.ts'
import type { FirstStage } from './first-stage.ts'
import { startRecurringTasks } from './recurring-tasks.ts'
import { type FoundDatabase, storesOf } from './stores.ts'

export type Serving = {
  app: FastifyInstance
  /** Finishes running requests, then closes the port and the database. */
  stop(): Promise<void>
}

/** Sessions per process: enough to keep two cores busy, few enough for many processes. */
const poolSize = 10
/** How long startup waits for the tracked links to load. */
const longestWaitMs = 5_000
/** The same while the first stage redirects visitors: the whole server could not do more without a database. */
const longestRedirectingMs = 60_000

/** Serves in this process: listens and runs the recurring tasks. */
export async function serve(
  config: Config,
  database: FoundDatabase,
  { secret, formerSecrets }: Secrets,
  log: Logger,
  stage?: FirstStage,
): Promise<Serving> {
  const { connection } = database
  const pulse = watchPulse(connection, { log, askWorkers: database.layout === 'distributed' })
  const main = openDatabase(connection, { max: poolSize, applicationName: 'tallyroom', pulse })
  const owner = openDatabase(connection, {
    max: 2,
    applicationName: 'tallyroom tasks',
    asOwner: true,
    pulse,
  })
  const reports = config.reportDatabaseUrl ? openReports(config.reportDatabaseUrl, log) : undefined
  const services: AppServices = {
    ...storesOf(database),
    config,
    db: main.db,
    pulse,
    reportDb: reports?.db ?? main.db,
    connection,
    clock: systemClock,
    log,
    secret,
    formerSecrets,
  }
  const app = await buildApp(services, { loggerInstance: log })
  const tasks = startRecurringTasks(services, owner.db)
  await untilReady(app, stage?.isReady() ? longestRedirectingMs : longestWaitMs)
  // Node would write it on exit, which a killed process never reaches.
  flushCompileCache()
  const handedOver = await stage?.handOver(app)
  if (!handedOver) await app.listen({ port: config.port, host: config.host })

  return {
    app,
    async stop() {
      await drain(app.server)
      await tasks.stop()
      await handedOver?.ended
      await app.close()
      await Promise.all([main.close(), owner.close(), reports?.close(), pulse.stop()])
    },
  }
}

/** Another server, which may stop responding on its own. */
function openReports(url: string, log: Logger): Pick<Database, 'db' | 'close'> {
  const replica: Connection = { kind: 'server', url }
  const pulse = watchPulse(replica, { log })
  const { db, close } = openDatabase(replica, {
    max: poolSize,
    applicationName: 'tallyroom reports',
    pulse,
  })
  return {
    db,
    close: async () => {
      await Promise.all([close(), pulse.stop()])
    },
  }
}

/** Loads the tracked links before the first visitor. Without a database, visitors must not wait any longer. */
async function untilReady(app: FastifyInstance, longestMs: number): Promise<void> {
  const until = performance.now() + longestMs
  while (performance.now() < until) {
    if ((await app.inject(healthEndpoints.health.path)).statusCode === 200) return
    await sleep(20)
  }
}
