import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Log } from '../../lib/log/log.ts'
import type { OsUser } from './os-user.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** Where the engine listens: a Unix socket, or loopback TCP with a password on platforms without sockets. */
export type Endpoint =
  | { transport: 'socket'; dir: string; port: number }
  | { transport: 'tcp'; host: string; port: number; password: string }

/** The database user that owns the embedded cluster. */
export const superuser = 'tallyroom'

/** Only part of the socket's file name. Nothing listens on this TCP port. */
const socketPort = 5432

/** Maximum bytes of a Unix socket's path. */
const longestSocketPath = process.platform === 'darwin' ? 103 : 107

export function urlOf(endpoint: Endpoint, database: string): string {
  if (endpoint.transport === 'socket') {
    return `postgres://${superuser}@${encodeURIComponent(endpoint.dir)}:${endpoint.port}/${database}`
  }
  const { host, port, password } = endpoint
  return `postgres://${superuser}:${encodeURIComponent(password)}@${host}:${port}/${database}`
}

/** Whether anything accepts connections there. */
export function isListening(endpoint: Endpoint): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket =
    endpoint.transport === 'socket'
      ? connect(socketPath(endpoint.dir))
      : connect(endpoint.port, endpoint.host)
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** The socket file, whose name PostgreSQL prescribes. */
export function socketPath(dir: string): string {
  return join(dir, `.s.PGSQL.${socketPort}`)
}

/** A private folder for the socket: in `dataDir`, or a short path if that would be too long. */
export async function socketEndpoint(
  dataDir: string,
  user: OsUser,
  log: Log,
): Promise<Endpoint & { transport: 'socket' }> {
  const preferred = join(dataDir, 'run')
  if (Buffer.byteLength(socketPath(preferred)) <= longestSocketPath) {
    await makePrivate(preferred, user)
    return { transport: 'socket', dir: preferred, port: socketPort }
  }
  // Deterministic per data folder, so that a later start finds the running engine.
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const dir = join(tmpdir(), `tallyroom-${process.getuid?.() ?? 0}-${name}`)
  await makePrivate(dir, user)
  log.warn(
    { socketDir: dir },
    'the path of DATA_DIR is too long for a socket: using another folder',
  )
  return { transport: 'socket', dir, port: socketPort }
}

async function makePrivate(dir: string, user: OsUser): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const entry = await lstat(dir)
  const self = process.getuid?.() ?? 0
  // In a shared folder, somebody else may have created the name first to eavesdrop.
  if (!entry.isDirectory() || (entry.uid !== self && entry.uid !== user.ids?.uid)) {
    throw new OperatorError(
      `${dir} belongs to another user. Remove it, or choose another folder with DATA_DIR.`,
    )
  }
  if (user.ids) await chown(dir, user.ids.uid, user.ids.gid)
  await chmod(dir, 0o700)
}

const storedEndpoint = z.object({ port: z.number().int(), password: z.string() })

/** A free loopback port and a random password, stored in `dataDir` so that a later start finds the running engine. */
export async function tcpEndpoint(dataDir: string): Promise<Endpoint & { transport: 'tcp' }> {
  const file = join(dataDir, 'engine-endpoint.json')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) {
    return { transport: 'tcp', host: '127.0.0.1', ...storedEndpoint.parse(JSON.parse(stored)) }
  }
  const made = { port: await freePort(), password: randomBytes(24).toString('base64url') }
  await writeFile(file, JSON.stringify(made), { mode: 0o600, flag: 'wx', flush: true })
  return { transport: 'tcp', host: '127.0.0.1', ...made }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const server = createServer()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    server.close(() => resolve(port))
  })
  return promise
}
