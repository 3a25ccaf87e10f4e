import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { path, root } from './project.mjs'

/** Runs the server until it ends, and ends as it does. */
export function runServer(node) {
  const server = spawn(node, [path('apps/api/src/server.ts')], { cwd: root, stdio: 'inherit' })
  // The server tells one stop from two by itself: Ctrl+C reaches it directly too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => server.kill(signal))
  server.once('error', (error) => {
    console.error(`The server could not be started: ${error.message}`)
    process.exit(1)
  })
  server.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
