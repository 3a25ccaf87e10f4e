import type { Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, parseConfig } from '../config.ts'
import { unavailable } from '../errors.ts'
import { landingPage } from '../operate/index.ts'
import {
  makeClickIds,
  makeTestMarks,
  registerGo,
  startClicksFromDisk,
  testOf,
} from '../tracking/index.ts'
import { isOfficeAmong } from '../http/front-door.ts'
import { makeServer } from '../http/server.ts'
import { webScope } from '../http/web-scope.ts'
import { systemClock } from '../lib/clock.ts'
import { makeLogger } from '../lib/log/make-logger.ts'
import { findSecrets, type Secrets } from '../lib/secrets.ts'
import type { Gate } from './gate.ts'

/** Serves what needs no database, until the whole server takes over its port. */
export type FirstStage = {
  /** Whether visitors are redirected. */
  isReady(): boolean
  /**
   * The listening socket passes to `app`, so that nobody is refused. Open connections end by and by, and then `ended`
   * resolves.
   */
  handOver(app: FastifyInstance): Promise<{ ended: Promise<void> }>
}

const lastRequestMs = 2_000

/**
 * Undefined on the very first start, when there are no links yet and nobody waits, and if the configuration is invalid, which
 * the server reports. Imports little of the program, so that it begins early.
 */
export async function beginFirstStage(
  environment: NodeJS.ProcessEnv,
  gate: Gate,
): Promise<FirstStage | undefined> {
  try {
    const config = parseConfig(environment)
    const secrets = await findSecrets(config.secretKeyFile)
    if (secrets) return await startFirstStage(config, secrets, await makeLogger(config), gate)
  } catch {
    // Whatever it is, the server meets it too, and says it.
  }
  gate.close()
  return undefined
}

export async function startFirstStage(
  config: Config,
  { secret, formerSecrets }: Secrets,
  log: Logger,
  gate: Gate,
): Promise<FirstStage> {
  const app = makeServer({ config, secret }, { loggerInstance: log })
  const marks = makeTestMarks(secret)
  const clicks = await startClicksFromDisk({
    clickIds: makeClickIds(secret, formerSecrets),
    tests: { idOf: (visit) => testOf(marks, visit) },
    dataDir: config.dataDir,
    clicksAMinute: config.clicksAMinute,
    clock: systemClock,
    log,
  })
  await app.register(async (scope) => registerGo(scope, clicks))
  app.all('/api/*', () => {
    throw unavailable()
  })
  const brand = brandOf(config.brand)
  await app.register(webScope, {
    brand,
    door: { isOffice: isOfficeAmong(config.backOfficeHosts), rootOf: () => undefined, brand },
    landing: brand.flags.landingPage ? landingPage(brand) : undefined,
  })
  await listenOn(app, gate.server, config)
  for (const socket of gate.release()) {
    app.server.emit('connection', socket)
    socket.resume()
  }
  return {
    isReady: () => clicks.isReady(),
    async handOver(next) {
      await listenOn(next, app.server, config)
      const ended = endConnections(app.server).then(() => clicks.stop())
      ended.catch((error: unknown) => log.error({ err: error }, 'the first stage did not end'))
      return { ended }
    },
  }
}

/**
 * Lets `app` listen on the socket of another server, which keeps its open connections. Node passes sockets between servers
 * only as a whole server, which Fastify can't take.
 */
async function listenOn(app: FastifyInstance, from: object, { port, host }: Config): Promise<void> {
  const holder = from as Record<typeof HANDLE, unknown> // not in Node's types
  const options: object = { port, host, handle: holder[HANDLE] }
  await app.listen(options)
  // Else closing the other server would close the socket.
  holder[HANDLE] = null
}

const HANDLE = '_handle'

/** Ends each connection after its next answer, or when it is idle. */
async function endConnections(server: Server): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  await sleep(lastRequestMs, undefined, { ref: false })
  server.closeIdleConnections()
}
