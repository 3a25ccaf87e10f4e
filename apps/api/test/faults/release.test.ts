import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { findPort } from './app-process.ts'
import { makeDataDir } from './fault-world.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
const former = join(import.meta.dirname, '../releases')

test('a release runs with Node alone, on what the release before stored', async () => {
  const { path: home, remove } = await makeDataDir('release')
  onTestFinished(remove)
  await run(process.execPath, [join(root, 'scripts/release.mjs'), `--to=${home}`, '--try'])
  const archive = (await readdir(home)).find((name) => name.endsWith('.tar.gz'))
  await run('tar', ['-xzf', join(home, archive ?? ''), '-C', home])
  const folder = join(home, archive?.replace('.tar.gz', '') ?? '')
  const before = join(former, (await readdir(former)).toSorted().at(-1) ?? '')

  const port = await findPort()
  // Nothing of this project's surroundings: neither its packages nor npm are on the path.
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    PORT: String(port),
    DATA_DIR: join(home, 'data'),
    SEED: 'none',
    CAPTCHA: 'off',
  }
  await mkdir(env.DATA_DIR)
  await copyFile(join(before, 'secret.key'), join(env.DATA_DIR, 'secret.key'))
  await chmod(join(env.DATA_DIR, 'secret.key'), 0o600)
  const carried = join(folder, 'node_modules/.bin/node')
  const restored = await run(
    carried,
    [join(folder, 'apps/api/src/cli.ts'), 'restore', join(before, 'backup')],
    { env },
  )
  expect(restored.stdout).toMatch(/^Restored \d+ rows/)

  const server = spawn(process.execPath, [join(folder, 'scripts/start.mjs')], {
    cwd: folder,
    env,
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    const statusOf = (path: string) =>
      fetch(`${url}${path}`).then(
        ({ status }) => status,
        () => undefined,
      )
    await until(async () => (await statusOf('/api/health')) === 200, 120_000)
    const page = await (await fetch(`${url}/`)).text()
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? []
    expect(await statusOf(script)).toBe(200)
    const signedIn = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'maria', password: 'demo-2026' }),
    })
    expect(signedIn.status).toBe(200)
  } finally {
    server.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
}, 900_000)
