import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'

/** A worker that dies sooner than this after its start waits before it is replaced. */
const tooSoonMs = 2_000

/**
 * Starts serving processes and replaces those that die. Resolves when all serve.
 *
 * @throws when one ends before it serves: the reason is on its standard error.
 */
export async function keepWorkers(
  count: number,
  environment: Record<string, string>,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  const workers = Array.from({ length: count }, start)

  function start(): Worker {
    const startedAt = performance.now()
    const worker = cluster.fork(environment)
    worker.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ worker: worker.process.pid, code, signal }, 'a serving process ended')
      void replace(worker, startedAt)
    })
    return worker
  }

  async function replace(worker: Worker, startedAt: number): Promise<void> {
    if (performance.now() - startedAt < tooSoonMs) await sleep(tooSoonMs)
    if (!stopping) workers[workers.indexOf(worker)] = start()
  }

  await Promise.all(workers.map(untilServing))
  return {
    async stop() {
      stopping = true
      const running = workers.filter((worker) => !worker.isDead())
      await Promise.all(
        running.map(async (worker) => {
          worker.process.kill('SIGTERM')
          await once(worker, 'exit')
        }),
      )
    },
  }
}

const untilServing = (worker: Worker) =>
  new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => reject(new Error('a serving process ended before it served')))
  })
