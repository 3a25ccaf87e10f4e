import { setTimeout as sleep } from 'node:timers/promises'
import { healthEndpoints } from '@tallyroom/contract/health'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Layout } from '../db/citus/layout.ts'
import type { Connection } from '../db/connection.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { watchPulse } from '../db/pulse.ts'
import type { Services } from '../services.ts'
import { systemClock } from '../lib/clock.ts'
import { logOutput } from '../lib/log-output.ts'
import type { Secrets } from '../lib/secrets.ts'
import { drain } from './drain.ts'
import { startRecurringTasks } from './recurring-tasks.ts'

export type Serving = {
  app: FastifyInstance
  /** Finishes what is under way, then lets go of the port and the database. */
  stop(): Promise<void>
}

/** Sessions of a process: enough to keep two cores busy, few enough for many processes. */
const poolSize = 10
/** How long a start waits for the tracked links. */
const longestWaitMs = 5_000

/** The database as the first process found it. */
export type ServedDatabase = { connection: Connection; layout: Layout }

/** Serves with one process: listens, and runs the recurring tasks. */
export async function serve(
  config: Config,
  { connection, layout }: ServedDatabase,
  { secret, formerSecrets }: Secrets,
  log: Logger,
): Promise<Serving> {
  const pulse = watchPulse(connection, { log })
  const main = openDatabase(connection, { max: poolSize, applicationName: 'tallyroom', pulse })
  const owner = openDatabase(connection, {
    max: 1,
    applicationName: 'tallyroom tasks',
    asOwner: true,
    pulse,
  })
  const reports = config.reportDatabaseUrl ? openReports(config.reportDatabaseUrl, log) : undefined
  const services: Services = {
    config,
    db: main.db,
    pulse,
    reportDb: reports?.db ?? main.db,
    connection,
    layout,
    clock: systemClock,
    log,
    secret,
    formerSecrets,
  }
  const app = await buildApp(services, { loggerInstance: log })
  const tasks = startRecurringTasks(services, owner.db)
  await untilReady(app)
  await app.listen({ port: config.port, host: config.host })

  return {
    app,
    async stop() {
      await drain(app.server)
      await tasks.stop()
      await app.close()
      await Promise.all([main.close(), owner.close(), reports?.close(), pulse.stop()])
    },
  }
}

/** Another server, which may fall silent by itself. */
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

/** The tracked links are loaded before the first visitor comes; without a database they can wait for it no longer. */
async function untilReady(app: FastifyInstance): Promise<void> {
  const until = performance.now() + longestWaitMs
  while (performance.now() < until) {
    if ((await app.inject(healthEndpoints.health.path)).statusCode === 200) return
    await sleep(20)
  }
}

/** Logs as JSON lines on standard output. What could hold a secret is not logged in the first place; this is the net below. */
export const makeLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization', 'key'],
        censor: '[removed]',
      },
    },
    logOutput(1),
  )
