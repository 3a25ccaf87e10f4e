import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../src/db/connection.ts'

export type DatabaseProxy = {
  /** The database through the proxy. */
  connection: Connection
  /** Ends all sessions and refuses new ones until `mend`. */
  cut(): void
  /** Keeps sessions open but lets nothing through until `mend`; those sessions are lost. */
  freeze(): void
  mend(): void
  /**
   * Ends the next session that sends one of these texts, part of a statement or the name of a prepared one: `unsent`
   * before the server receives it, or `unanswered` after the server has executed it. Resolves when that has happened.
   */
  cutOnce(text: string | readonly string[], when: 'unsent' | 'unanswered'): Promise<void>
  /** Ends every session that sends this text before the server receives it, until `mend`. */
  cutEach(text: string): void
  close(): Promise<void>
}

/** A proxy to a database that simulates network failures. It listens on a socket of its own, or on a TCP port. */
export async function startDatabaseProxy(
  connection: Connection,
  port?: number,
): Promise<DatabaseProxy> {
  const target = targetOf(new URL(connection.url))
  const folder = await mkdtemp(join(tmpdir(), 'tr-proxy-'))
  const pairs = new Set<{ client: Socket; server: Socket; isFrozen: boolean }>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  let nextCut:
    | { texts: readonly string[]; when: 'unsent' | 'unanswered'; done: () => void }
    | undefined

  let cutText: string | undefined

  const proxy = createServer((client) => {
    client.on('error', () => undefined)
    if (state === 'cut') return void client.destroy()
    const server = connect(target)
    const pair = { client, server, isFrozen: state === 'frozen' }
    pairs.add(pair)
    let endsAtAnswer: (() => void) | undefined
    client.on('data', (bytes) => {
      if (cutText !== undefined && bytes.includes(cutText)) return void client.destroy()
      if (nextCut?.texts.some((text) => bytes.includes(text))) {
        const { when, done } = nextCut
        nextCut = undefined
        if (when === 'unsent') {
          client.destroy()
          return done()
        }
        endsAtAnswer = done
      }
      if (!pair.isFrozen) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (endsAtAnswer) {
        client.destroy()
        endsAtAnswer()
      } else if (!pair.isFrozen) client.write(bytes)
    })
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.end()
    }
    client.on('close', end)
    server.on('close', end)
    server.on('error', end)
  })
  const to = port ?? join(folder, '.s.PGSQL.5432')
  await new Promise<void>((listening, failed) => {
    proxy
      .once('error', failed)
      .listen(typeof to === 'number' ? { host: '127.0.0.1', port: to } : { path: to }, listening)
  })

  const host = port === undefined ? `${encodeURIComponent(folder)}:5432` : `127.0.0.1:${port}`
  const through = (url: string) => replaceHost(url, host)

  function cut(): void {
    for (const { client } of pairs) client.destroy()
  }
  return {
    connection: {
      ...connection,
      url: through(connection.url),
      ...(connection.appUrl && { appUrl: through(connection.appUrl) }),
    },
    cut() {
      state = 'cut'
      cut()
    },
    freeze() {
      state = 'frozen'
      for (const pair of pairs) pair.isFrozen = true
    },
    mend() {
      if (state === 'frozen') cut()
      state = 'open'
      cutText = undefined
    },
    cutOnce: (text, when) =>
      new Promise((done) => {
        nextCut = { texts: [text].flat(), when, done }
      }),
    cutEach(text) {
      cutText = text
    },
    async close() {
      cut()
      await new Promise((closed) => proxy.close(closed))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function targetOf({ hostname, port }: URL): { path: string } | { host: string; port: number } {
  const host = decodeURIComponent(hostname)
  const number = Number(port || 5432)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number }
}

/** A socket folder is percent-encoded in place of the host, which `URL` refuses to set. */
function replaceHost(url: string, host: string): string {
  return url.replace(/@[^/]*\//, `@${host}/`)
}
