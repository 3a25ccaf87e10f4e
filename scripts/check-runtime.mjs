import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { path } from './project.mjs'

/** The oldest supported Node: it strips types and has argon2id. */
const oldest = [24, 18]

/**
 * The Node that runs the server and the tools: the one installed with the packages, or the machine's own if
 * there is none for it and it is new enough.
 */
export function findRuntime() {
  const carried = path(
    'node_modules',
    process.platform === 'win32' ? `node-win-${process.arch}/bin/node.exe` : '.bin/node',
  )
  if (runs(carried)) return carried
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new Error(
    `Tallyroom needs Node ${oldest.join('.')} or newer. This is Node ${process.versions.node}. ` +
      `${explainMissing(carried)}\nOr install Node 24 on this machine. Then start again.`,
  )
}

function explainMissing(carried) {
  if (existsSync(carried)) {
    return 'The Node that npm installed needs glibc, which this system lacks (musl, such as Alpine?).'
  }
  const made = ['linux-x64', 'linux-arm64', 'darwin-x64', 'win32-x64']
  return made.includes(`${process.platform}-${process.arch}`)
    ? 'npm did not install its own: optional packages may be omitted. Run "npm ci --include=optional".'
    : `The packages include no Node for ${process.platform} on ${process.arch}.`
}

function runs(node) {
  if (!existsSync(node)) return false
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout.trim().slice(1))
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}
