import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { aheadMs } from './day.ts'
import { steady } from './steady.ts'
import { freePort } from './free-port.ts'

/** A test's own server, on an empty database unless `SEED` says otherwise. */
export interface OwnServer {
  url: string
  /** The password of its first account, `superadmin`, or of all accounts of the demo. */
  password: string
  /** Sets its clock this many milliseconds ahead of the run's. */
  shiftClock(ms: number): void
  stop(): Promise<void>
}

const e2e = join(import.meta.dirname, '..')
const guards = ['end-with-parent.ts', 'shifted-clock.ts'].flatMap((name) => [
  '--import',
  pathToFileURL(join(e2e, '../apps/api/test/faults', name)).href,
])

/** Starts it with the run's clock. @param env further settings */
export async function startOwnServer(env: Record<string, string> = {}): Promise<OwnServer> {
  const port = await freePort()
  const dataDir = join(tmpdir(), `tallyroom-e2e-own-${process.pid}-${port}`)
  const server = spawn(process.execPath, [...guards, join(e2e, 'serve.ts')], {
    // The guard ends its process group with it.
    detached: true,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      E2E_DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      CAPTCHA: 'off',
      SEED: 'none',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: '',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const password = await passwordIn(server)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    password,
    shiftClock: (ms) => server.stdin?.write(`${ms}\n`),
    stop: async () => {
      server.kill('SIGTERM')
      await ended
    },
  }
}

const passwordIn = (server: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, password] =
        /^ +(?:password|Demo sign-ins, all with password) +(\S+?):?$/m.exec(text) ?? []
      if (password !== undefined) resolve(password)
    })
    const fail = () => reject(new Error(`The server did not start:\n${text}`))
    server.once('exit', fail)
    setTimeout(fail, 240_000).unref()
  })

/** A browser in which the account of a session is signed in, with the server's clock, `ms` ahead of the run's. */
export async function seat(
  browser: Browser,
  { url, token, ms }: { url: string; token: string; ms: number },
): Promise<Page> {
  const headers = { authorization: `Bearer ${token}` }
  const me: unknown = await (await fetch(`${url}/api/accounts/me`, { headers })).json()
  const localStorage = [{ name: 'tallyroom.session', value: JSON.stringify({ token, me }) }]
  const context = await browser.newContext({
    baseURL: url,
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  await steady(context, aheadMs + ms)
  return context.newPage()
}
