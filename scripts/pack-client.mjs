// `npm run client`: compiles the typed client, with what it shares with the server, into one package in dist/ that needs
// nothing of ours and that `npm publish` takes.
//
//     --to=FOLDER   instead of dist/

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm } from './install.mjs'
import { outputFolder, path, run, say } from './project.mjs'

const to = outputFolder()
try {
  const staging = mkdtempSync(join(tmpdir(), 'tallyroom-client-'))
  try {
    compile(staging)
    mkdirSync(to, { recursive: true })
    const { command, args } = npm()
    const client = join(staging, 'client')
    const packed = run(command, [...args, 'pack', '--json', `--pack-destination=${to}`], client)
    say(join(to, JSON.parse(packed)[0].filename))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

/** The client and what it imports of ours, as JavaScript with types. The latter goes along as packages inside of it. */
function compile(folder) {
  const config = path('packages/client/tsconfig.pack.json')
  const tsc = path('node_modules/typescript/bin/tsc')
  run(process.execPath, [tsc, '-p', config, '--outDir', folder])
  const { zod } = manifestOf('contract').dependencies
  const inside = ['contract', 'domain']
  for (const name of inside) {
    writeManifest(folder, name)
    const into = join(folder, 'client/node_modules/@tallyroom')
    mkdirSync(into, { recursive: true })
    renameSync(join(folder, name), join(into, name))
  }
  writeManifest(folder, 'client', {
    description: 'A typed client of the API of Tallyroom',
    files: ['src'],
    dependencies: {
      ...Object.fromEntries(inside.map((name) => [`@tallyroom/${name}`, manifestOf(name).version])),
      zod,
    },
    bundleDependencies: inside.map((name) => `@tallyroom/${name}`),
  })
  cpSync(path('LICENSE'), join(folder, 'client/LICENSE'))
  cpSync(path('docs/api.md'), join(folder, 'client/README.md'))
}

function manifestOf(name) {
  return JSON.parse(readFileSync(path('packages', name, 'package.json'), 'utf8'))
}

function writeManifest(folder, name, more = {}) {
  const { private: _, devDependencies: __, exports, ...kept } = manifestOf(name)
  const compiled = Object.entries(exports).map(([key, source]) => {
    const file = source.replace(/\.ts$/, '')
    return [key, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  const manifest = { ...kept, exports: Object.fromEntries(compiled), ...more }
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest, null, 2))
}
