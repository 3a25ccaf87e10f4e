import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { appRole } from '../connection.ts'
import type { Binaries } from './binaries.ts'
import { type Endpoint, superuser } from './endpoint.ts'
import { explainUnreachable, type OsUser } from './os-user.ts'
import { makeWhole } from './unfinished.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** The environment of PostgreSQL's programs, without ours, which contains secrets. */
export const plainEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32'
    ? { SystemRoot: process.env.SystemRoot, TEMP: process.env.TEMP }
    : {}),
}

export type Cluster = { dataDir: string; dataFolder: string; binaries: Binaries; user: OsUser }

/**
 * Creates the data folder unless it exists.
 *
 * @throws if the folder belongs to another major version of PostgreSQL, or the engine's user cannot reach it.
 */
export async function provideCluster(cluster: Cluster, endpoint: Endpoint): Promise<void> {
  const { dataFolder, binaries } = cluster
  await makeWhole(dataFolder, (unfinished) => initialise(unfinished, cluster, endpoint))
  const made = Number((await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).trim())
  if (made !== binaries.major) {
    throw new OperatorError(
      `${dataFolder} was made by PostgreSQL ${made}; the engine is PostgreSQL ${binaries.major}. ` +
        `Dump it with version ${made} and load the dump into a new DATA_DIR.`,
    )
  }
  await writeAccessFiles(cluster, endpoint)
}

async function initialise(
  folder: string,
  { binaries, user }: Cluster,
  endpoint: Endpoint,
): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (user.ids) await chown(folder, user.ids.uid, user.ids.gid)

  const passwordFile = `${folder}.password`
  if (endpoint.transport === 'tcp') {
    await writeFile(passwordFile, endpoint.password, { mode: 0o600 })
    if (user.ids) await chown(passwordFile, user.ids.uid, user.ids.gid)
  }
  try {
    await run(
      binaries.program('initdb'),
      [
        `--pgdata=${folder}`,
        `--username=${superuser}`,
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(endpoint.transport === 'tcp'
          ? [`--pwfile=${passwordFile}`, '--auth=scram-sha-256']
          : ['--auth-local=peer', '--auth-host=reject']),
      ],
      user,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Writes the access rules on each start, as they name this machine's system users. */
async function writeAccessFiles(cluster: Cluster, endpoint: Endpoint): Promise<void> {
  const { dataFolder, user } = cluster
  const names = new Set([userInfo().username, user.name, 'root'])
  const rules =
    endpoint.transport === 'tcp'
      ? ['host all all 127.0.0.1/32 scram-sha-256']
      : ['local all all peer map=owner', 'local replication all peer map=owner']
  await write('pg_hba.conf', rules)
  await write(
    'pg_ident.conf',
    [...names].flatMap((name) => [superuser, appRole].map((role) => `owner "${name}" ${role}`)),
  )

  async function write(name: string, lines: string[]): Promise<void> {
    const path = join(dataFolder, name)
    // Another process may start PostgreSQL at this moment, which must not read half a file.
    const written = `${path}.${randomUUID()}`
    await writeFile(written, ['# Written by Tallyroom on each start.', ...lines, ''].join('\n'))
    await chmod(written, 0o600)
    if (user.ids) await chown(written, user.ids.uid, user.ids.gid)
    await rename(written, path)
  }
}

/** Runs one of PostgreSQL's programs to completion. */
export async function run(program: string, args: string[], user: OsUser): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const child = spawn(program, args, {
    ...user.ids,
    cwd: '/',
    env: plainEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  child.once('error', reject)
  child.once('close', resolve)

  let code: number | null
  try {
    code = await promise
  } catch (error) {
    throw new OperatorError(await explainUnreachable(program, user), { cause: error })
  }
  const text = Buffer.concat(said).toString().trim()
  if (code === 0) return
  if (/Permission denied|could not (access|change) directory/.test(text)) {
    throw new OperatorError(`${await explainUnreachable(program, user)}\n${text}`)
  }
  throw new OperatorError(`${program} failed: ${text || `it ended with ${code}`}`)
}
