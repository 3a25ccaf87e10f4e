import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerAddress, type TrustsProxy } from '../lib/net/forwarded-address.ts'
import type { Log } from '../lib/log/log.ts'

/** Tells the app which proxies to trust. In an app without it, a caller has the address of their connection. */
export function trustProxies(app: FastifyInstance, trusts: TrustsProxy | undefined): void {
  let isTold = false
  app.decorate('findCaller', (request: Sender, log: Log): string => {
    const { address, unreadable } = callerAddress(
      request.socket.remoteAddress,
      request.headers,
      trusts,
    )
    if (unreadable !== undefined && !isTold) {
      isTold = true
      log.warn(
        { forwarded: unreadable.slice(0, 100) },
        'a proxy forwards something that is not an address: such callers are stored as 0.0.0.0 and count as one',
      )
    }
    return address
  })
}

/** What says whose request it is. */
type Sender = Pick<FastifyRequest, 'headers'> & { socket: { remoteAddress?: string | undefined } }

/** The canonical address of whoever sends a request: the only reader of forwarded addresses. */
export const addressOf = (request: FastifyRequest): string =>
  request.server.findCaller
    ? request.server.findCaller(request, request.log)
    : callerAddress(request.socket.remoteAddress, {}, undefined).address

declare module 'fastify' {
  interface FastifyInstance {
    findCaller?: (request: Sender, log: Log) => string
  }
}
