import { Agent, request } from 'node:http'

export type Answer = {
  status: number
  location: string | undefined
  retryAfter: string | undefined
  body: string
}

export type Client = {
  /** Sends a body as JSON. Undefined if no complete response arrived. */
  ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Answer | undefined>
  close(): void
}

const longestMs = 15_000

/** A client with this many keep-alive connections. */
export function makeClient(url: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  return {
    ask(method, path, headers, body) {
      return new Promise((resolve) => {
        const asked = request(new URL(path, url), {
          method,
          headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
          agent,
          signal: AbortSignal.timeout(longestMs),
        })
        asked.once('error', () => resolve(undefined))
        asked.once('response', (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.once('error', () => resolve(undefined))
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location,
              retryAfter: answer.headers['retry-after'],
              body: Buffer.concat(chunks).toString(),
            }),
          )
        })
        asked.end(body && JSON.stringify(body))
      })
    },
    close: () => agent.destroy(),
  }
}
