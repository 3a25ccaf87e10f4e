// `npm run release`: packs what is committed, the built browser app and the packages of this platform into one archive in
// dist/, which runs with Node alone: `node scripts/start.mjs`. Neither npm nor a compiler is needed where it runs.
// The archive of a commit is the same, byte for byte, whoever makes it.
//
//     --to=FOLDER      instead of dist/
//     --sign=KEYFILE   also writes a signature, by ssh-keygen: docs/operations.md says how it is checked
//     --try            also with changes that are not committed

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildWebIfStale } from './build-web.mjs'
import { findRuntime } from './check-runtime.mjs'
import { installIfStale, npm } from './install.mjs'
import { outputFolder, path, root, run, say, step } from './project.mjs'
import { thirdPartyLicences } from './release/licences.mjs'
import { makeSbom } from './release/sbom.mjs'
import { sign } from './release/sign.mjs'
import { writeArchive } from './release/archive.mjs'

/** What an operator needs. Tests are left out wherever they are. */
const released = [
  'apps/api/package.json',
  'apps/api/src',
  'apps/api/migrations',
  'apps/api/seeds',
  'packages',
  'docs',
  'scripts/check-runtime.mjs',
  'scripts/is-ready.mjs',
  'scripts/project.mjs',
  'scripts/run-server.mjs',
  'scripts/start.mjs',
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
]
const left = /\.test\.ts$|^docs\/(gallery|decisions)\//

/** Whose packages run the server. */
const workspaces = ['apps/api', 'packages/contract', 'packages/domain']

const { version } = JSON.parse(readFileSync(path('package.json'), 'utf8'))
const name = `tallyroom-${version}-${process.platform}-${process.arch}`

try {
  const to = outputFolder()
  const key = process.argv.find((arg) => arg.startsWith('--sign='))?.slice('--sign='.length)
  expectReleasable()
  installIfStale()
  const node = findRuntime()
  buildWebIfStale(node)
  const madeAt = new Date(Number(run('git', ['log', '-1', '--format=%ct'])) * 1_000)
  const staging = mkdtempSync(join(tmpdir(), 'tallyroom-release-'))
  try {
    const folder = join(staging, name)
    mkdirSync(folder)
    pack(folder)
    step('Installing its packages …', 'Its packages', () => install(folder))
    step('Listing what it carries …', 'SBOM and licences', () => list(folder, madeAt, node))
    mkdirSync(to, { recursive: true })
    const archive = join(to, `${name}.tar.gz`)
    step('Writing the archive …', 'Archive', () => writeArchive(archive, staging, name, madeAt))
    const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
    writeFileSync(`${archive}.sha256`, `${digest}  ${name}.tar.gz\n`)
    say(`${archive}\n  sha256 ${digest}`)
    if (key !== undefined) say(sign(archive, resolve(key)))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

/** Only what is committed is released, under a version that the changelog tells of. */
function expectReleasable() {
  const changed = process.argv.includes('--try') ? '' : run('git', ['status', '--porcelain'], root)
  if (changed !== '')
    throw new Error(`Commit first: a release holds only what is committed.\n${changed}`)
  const dated = new RegExp(
    `^## ${version.replaceAll('.', String.raw`\.`)} – \\d{4}-\\d\\d-\\d\\d$`,
    'm',
  )
  if (!dated.test(readFileSync(path('CHANGELOG.md'), 'utf8')))
    throw new Error(`CHANGELOG.md has no section "## ${version} – YYYY-MM-DD".`)
}

/** Files that git does not know, such as those of an editor, differ from machine to machine. */
function pack(folder) {
  const known = run('git', [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...released,
  ])
  for (const file of known.split('\0').filter((one) => one !== '' && !left.test(one))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(path(file), join(folder, file))
  }
  cpSync(path('apps/web/dist'), join(folder, 'apps/web/dist'), { recursive: true })
}

/** The locked packages, without those for development. Nothing is compiled: they bring their binaries. */
function install(folder) {
  const { command, args } = npm()
  const only = workspaces.flatMap((workspace) => ['-w', workspace])
  run(
    command,
    [
      ...args,
      'ci',
      '--omit=dev',
      '--include=optional',
      '--include-workspace-root',
      ...only,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    folder,
  )
  // npm's notes for itself, which depend on its version.
  rmSync(join(folder, 'node_modules/.package-lock.json'), { force: true })
}

function list(folder, madeAt, node) {
  const sbom = makeSbom({ name: 'tallyroom', version, madeAt, node })
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), `${thirdPartyLicences(sbom)}\n`)
}
