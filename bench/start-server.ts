import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts the whole server with its recurring tasks, in this environment only. Resolves once it serves. */
export async function startServer(
  port: number,
  env: Record<string, string>,
): Promise<{ pid: number; stop(): Promise<void> }> {
  const server = fork(join(import.meta.dirname, '../apps/api/src/server.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...env },
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error('The server did not start.')
    await sleep(100)
  }
  return {
    pid: server.pid ?? 0,
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    },
  }
}
