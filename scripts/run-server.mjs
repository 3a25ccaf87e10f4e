import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { path, root } from './project.mjs'

/** Runs the server until it ends, and ends as it does. */
export function runServer(node) {
  const server = spawn(node, [path('apps/api/src/server.ts')], { cwd: root, stdio: 'inherit' })
  // The server tells one wish to stop from two by itself: Ctrl+C reaches it directly too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => server.kill(signal))
  onNpmGone(() => server.kill('SIGTERM'))
  server.once('error', (error) => {
    console.error(`The server could not be started: ${error.message}`)
    process.exit(1)
  })
  server.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * npm puts a shell between itself and us. A signal to npm ends that shell without a word to us, and a killed
 * npm leaves it waiting: either way the server would stay behind, on a port that nobody knows to be taken.
 */
function onNpmGone(stop) {
  if (process.env.npm_lifecycle_event !== 'start') return
  const shell = process.ppid
  const npm = parentOf(shell)
  const isNpm = npm !== undefined && /npm/.test(commandOf(npm))
  const timer = setInterval(() => {
    if (process.ppid === shell && (!isNpm || parentOf(shell) === npm)) return
    clearInterval(timer)
    stop()
  }, 200)
}

/** Known on Linux only, as is the command. */
function parentOf(pid) {
  const status = read(`/proc/${pid}/stat`)
  const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  return parent > 0 ? parent : undefined
}

const commandOf = (pid) => read(`/proc/${pid}/cmdline`)

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
