import { connect, type Socket } from 'node:net'

/** The result of a load on a server. */
export type LoadResult = {
  /** Responses with the expected status. */
  good: number
  /** Any other response, and broken connections. */
  failed: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** CPU time of the load generator per request, in microseconds. */
  generatorUs: number
}

/**
 * Loads a local server over keep-alive connections, each sending its next request after the previous response.
 * Uses plain sockets, because a full HTTP client would cost more than what it measures.
 *
 * @param next returns the next complete request; undefined if there are none left.
 * @param onGood is called with each complete response that has the expected status.
 */
export async function loadServer(options: {
  port: number
  connections: number
  seconds: number
  next: () => string | undefined
  goodStatus: number
  onGood?: (answer: string) => void
}): Promise<LoadResult> {
  const { port, connections, next, goodStatus, onGood } = options
  const latencies: number[] = []
  let failed = 0
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const endsAt = startedAt + options.seconds * 1_000

  await Promise.all(Array.from({ length: connections }, drive))
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  return {
    good: latencies.length,
    failed,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    generatorUs: (user + system) / Math.max(1, latencies.length + failed),
  }

  function drive(): Promise<void> {
    return new Promise((resolve) => {
      let sentAt = 0
      let isOver = false
      const socket: Socket = connect(port, '127.0.0.1', send)
      socket.setNoDelay(true)
      socket.setEncoding('latin1')
      let answer = ''
      socket.on('data', (chunk: string) => {
        answer += chunk
        if (!isWhole(answer)) return
        if (answer.startsWith(`HTTP/1.1 ${goodStatus}`)) {
          latencies.push(performance.now() - sentAt)
          onGood?.(answer)
        } else failed++
        answer = ''
        if (performance.now() < endsAt) send()
        else end()
      })
      socket.on('error', () => undefined) // 'close' follows
      socket.on('close', () => {
        if (!isOver) failed++
        resolve()
      })

      function end(): void {
        isOver = true
        socket.end(resolve)
      }

      function send(): void {
        const request = next()
        if (request === undefined) {
          end()
          return
        }
        sentAt = performance.now()
        socket.write(request)
      }
    })
  }
}

/** The header ends with an empty line, and declares the length of the body, if any. */
export function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, headEnd)) ?? []
  return answer.length >= headEnd + 4 + Number(length)
}
