import { connect, type Socket } from 'node:net'

/**
 * Loads a server with requests of tracked links over keep-alive connections, each sending its next request
 * when the last one is answered. A process of its own, started by `loadRedirect`; answers by a message.
 * Written on plain sockets: with a full HTTP client the load would cost more than what it measures.
 */
export type LoadOptions = {
  port: number
  connections: number
  seconds: number
  agents: number
  sites: number
  typesPerSite: number
}

export type LoadResult = {
  /** Answers with 302. */
  redirected: number
  /** Any other answer, and connections that broke. */
  failed: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

const options = JSON.parse(process.argv[2] ?? '') as LoadOptions // written by `loadRedirect`

/** What a browser sends along. */
const BROWSER =
  'user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36\r\n' +
  'accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\naccept-language: en-US,en;q=0.9\r\naccept-encoding: gzip, deflate, br'

const latencies: number[] = []
let failed = 0
const startedAt = performance.now()
const endsAt = startedAt + options.seconds * 1_000

await Promise.all(Array.from({ length: options.connections }, drive))
const seconds = (performance.now() - startedAt) / 1_000
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
process.send?.({
  redirected: latencies.length,
  failed,
  perSecond: latencies.length / seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  maxMs: at(1),
} satisfies LoadResult)

function drive(): Promise<void> {
  return new Promise((resolve) => {
    let sentAt = 0
    const socket: Socket = connect(options.port, '127.0.0.1', send)
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    let answer = ''
    socket.on('data', (chunk: string) => {
      answer += chunk
      // The redirects have no body, so the empty line ends them.
      if (!answer.endsWith('\r\n\r\n')) return
      if (answer.startsWith('HTTP/1.1 302')) latencies.push(performance.now() - sentAt)
      else failed++
      answer = ''
      if (performance.now() < endsAt) send()
      else socket.end(resolve)
    })
    socket.on('error', () => {
      failed++
      resolve()
    })

    function send(): void {
      sentAt = performance.now()
      socket.write(request())
    }
  })
}

function request(): string {
  const agent = random(options.agents)
  // An agent works with two sites, not with all of them.
  const site = 1 + ((agent * 13 + random(2)) % options.sites)
  const type = (site - 1) * options.typesPerSite + random(options.typesPerSite)
  const ip = `${random(223)}.${random(255)}.${random(255)}.${random(255)}`
  return `GET /api/links/go/${site}/${type}/${agent} HTTP/1.1\r\nhost: go.example\r\nx-forwarded-for: ${ip}\r\n${BROWSER}\r\n\r\n`
}

function random(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
