import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ERROR_CODE_HEADER, errorStatus } from '@tallyroom/contract/errors'
import type { Config } from '../config.ts'
import { isUnavailable } from '../db/transaction.ts'
import { bareHeaders } from '../http/secure-headers.ts'
import type { Log } from '../lib/log/log.ts'

const pauseMs = 1_000

/**
 * Retries `prepare` until the database is reachable, so that the server can start before its database.
 * Meanwhile every request gets 503, unless there is a first stage.
 *
 * @throws what `prepare` throws for any other reason.
 */
export async function whenReachable<T>(
  config: Pick<Config, 'host' | 'port'>,
  log: Log,
  prepare: () => Promise<T>,
  /** Somebody else answers on the port meanwhile. */
  stage?: object,
): Promise<T> {
  let placeholder: Server | undefined
  let isTold = false
  try {
    for (;;) {
      try {
        return await prepare()
      } catch (error) {
        if (!isOutOfReach(error)) throw error
        // Logged once per outage, not on every attempt.
        if (!isTold) log.warn({ err: error }, 'waiting for the database')
        isTold = true
        if (!stage) placeholder ??= await answerUnavailable(config)
        await sleep(pauseMs)
      }
    }
  } finally {
    await close(placeholder)
  }
}

/** Also if a step has wrapped the error. */
function isOutOfReach(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Error && isOutOfReach(error.cause))
}

function answerUnavailable({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Server> {
  const body = JSON.stringify({
    code: 'UNAVAILABLE',
    message: 'The database is unavailable. Please try again in a moment.',
  })
  const server = createServer((request, response) => {
    request.resume()
    response
      .writeHead(errorStatus.UNAVAILABLE, {
        ...bareHeaders,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '5',
        [ERROR_CODE_HEADER]: 'UNAVAILABLE',
      })
      .end(body)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server))
  })
}

async function close(server: Server | undefined): Promise<void> {
  if (!server) return
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
