import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** An active connection sends its next request within this time and is then told to close. */
const lastRequestMs = 2_000
const lookEveryMs = 10

/**
 * Accepts no new connections, and ends each open one after an answer with `connection: close`. So no client
 * ever sends a request into a connection that is being closed. Resolves when all are gone.
 */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  // The HTTP server's own `close` would also end connections that are idle for a moment.
  NetServer.prototype.close.call(server)
  const until = performance.now() + lastRequestMs
  while (performance.now() < until && (await connectionsOf(server)) > 0) await sleep(lookEveryMs)
  server.closeIdleConnections()
  while ((await connectionsOf(server)) > 0) await sleep(lookEveryMs)
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
