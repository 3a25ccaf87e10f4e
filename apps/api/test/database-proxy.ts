import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
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
   * Ends the next session that sends this text, part of a statement or the name of a prepared one: `unsent` before the
   * server receives it, or `unanswered` after the server has executed it. Resolves when that has happened.
   */
  cutOnce(text: string, when: 'unsent' | 'unanswered'): Promise<void>
  close(): Promise<void>
}

/** A TCP proxy to a database that simulates network failures. */
export async function startDatabaseProxy(connection: Connection): Promise<DatabaseProxy> {
  const url = new URL(connection.url)
  const port = Number(url.port || 5432)
  const host = decodeURIComponent(url.hostname)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const folder = await mkdtemp(join(tmpdir(), 'tr-proxy-'))
  const pairs = new Set<{ client: Socket; server: Socket; isFrozen: boolean }>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  let nextCut: { text: string; when: 'unsent' | 'unanswered'; done: () => void } | undefined

  const proxy = createServer((client) => {
    client.on('error', () => undefined)
    if (state === 'cut') return void client.destroy()
    const server = connect(target)
    const pair = { client, server, isFrozen: state === 'frozen' }
    pairs.add(pair)
    let endsAtAnswer: (() => void) | undefined
    client.on('data', (bytes) => {
      if (nextCut && bytes.includes(nextCut.text)) {
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
  await listen(proxy, join(folder, '.s.PGSQL.5432'))

  function cut(): void {
    for (const { client } of pairs) client.destroy()
  }
  return {
    connection: { ...connection, url: replaceHost(connection.url, folder) },
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
    },
    cutOnce: (text, when) =>
      new Promise((done) => {
        nextCut = { text, when, done }
      }),
    async close() {
      cut()
      await new Promise((closed) => proxy.close(closed))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A socket folder is percent-encoded in place of the host, which `URL` refuses to set. */
function replaceHost(url: string, folder: string): string {
  return url.replace(/@[^/]*\//, `@${encodeURIComponent(folder)}:5432/`)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed).listen(path, listening)
  })
}
