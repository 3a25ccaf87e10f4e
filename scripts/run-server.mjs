import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { path, root } from './project.mjs'

/** The configuration is invalid. The server has reported why, and would fail again. */
const refused = 78
/** After this time, the pause before a restart is reset. */
const healthyMs = 60_000
const longestPauseMs = 30_000

/**
 * Runs the server until a stop signal. If it crashes, it is restarted, first at once, then with pauses that
 * double up to half a minute. If it never became ready or its configuration is invalid, this process exits like
 * it.
 */
export function runServer(node, program = path('apps/api/src/server.ts')) {
  let server
  let isStopping = false
  let hasServed = false
  let servingSince
  let failures = 0
  let pause

  function start() {
    servingSince = undefined
    server = spawn(node, [program], {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // Caches compiled code: parsing the sources is most of the startup time.
      env: { NODE_COMPILE_CACHE: path('.cache/compiled'), ...process.env },
    })
    server.on('message', () => {
      hasServed = true
      servingSince = performance.now()
    })
    server.once('error', (error) => {
      console.error(`The server could not be started: ${error.message}`)
      process.exit(1)
    })
    server.once('exit', onExit)
  }

  function onExit(code, signal) {
    const status = code ?? 128 + constants.signals[signal]
    if (isStopping || !hasServed || status === 0 || status === refused) process.exit(status)
    const wasHealthy = servingSince !== undefined && performance.now() - servingSince >= healthyMs
    failures = wasHealthy ? 1 : failures + 1
    const pauseMs = failures === 1 ? 0 : Math.min(longestPauseMs, 1_000 * 2 ** (failures - 2))
    const when =
      pauseMs === 0 ? 'at once' : `in ${pauseMs / 1_000} s (failure ${failures} in a row)`
    console.error(`The server ended (${signal ?? `exit code ${code}`}). Restarting it ${when}.`)
    pause = setTimeout(start, pauseMs)
  }

  function stop(signal) {
    isStopping = true
    clearTimeout(pause)
    if (server.exitCode === null && server.signalCode === null) server.kill(signal)
    else process.exit(0)
  }

  // The server itself distinguishes repeated stop signals: Ctrl+C also reaches it directly.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  // Replaces the server processes one by one.
  if (process.platform !== 'win32') process.on('SIGUSR2', () => server.kill('SIGUSR2'))
  onNpmGone(() => stop('SIGTERM'))
  start()
}

/**
 * npm puts a shell between itself and us. A signal to npm ends that shell silently, and a killed npm leaves it
 * waiting. Either way, the server would stay behind and keep its port.
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

/** Only known on Linux, as is the command. */
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
