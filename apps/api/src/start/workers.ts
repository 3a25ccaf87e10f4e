import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../lib/log/log.ts'

/** A worker that dies within this time after its start is replaced with a delay. */
const tooSoonMs = 2_000

/**
 * Starts worker processes and replaces those that die. Resolves when all serve.
 *
 * `restart` replaces them one by one: an old worker finishes its requests and ends once the new one serves. If
 * a new worker fails to start, the remaining ones stay.
 *
 * @throws if a worker ends before it serves. The reason is on its standard error.
 */
export async function keepWorkers(
  count: number,
  environment: Record<string, string>,
  log: Log,
): Promise<{ stop(): Promise<void>; restart(): Promise<void> }> {
  let stopping = false
  let restarting = false
  const retired = new Set<Worker>()
  const workers = Array.from({ length: count }, start)

  function start(): Worker {
    const startedAt = performance.now()
    const worker = cluster.fork(environment)
    worker.once('exit', (code, signal) => {
      if (stopping || retired.delete(worker)) return
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended')
      void replace(worker, startedAt)
    })
    return worker
  }

  async function replace(worker: Worker, startedAt: number): Promise<void> {
    if (performance.now() - startedAt < tooSoonMs) await sleep(tooSoonMs)
    if (!stopping) workers[workers.indexOf(worker)] = start()
  }

  async function renew(place: number): Promise<void> {
    const old = workers[place]
    const young = start()
    await untilServing(young)
    workers[place] = young
    if (!old || old.isDead()) return
    retired.add(old)
    await end(old)
  }

  await Promise.all(workers.map(untilServing))
  return {
    async stop() {
      stopping = true
      await Promise.all(workers.filter((worker) => !worker.isDead()).map(end))
    },
    async restart() {
      if (restarting || stopping) return
      restarting = true
      try {
        for (const place of workers.keys()) if (!stopping) await renew(place)
        log.warn('all workers were restarted')
      } catch (error) {
        log.error({ err: error }, 'restart aborted: the remaining workers keep serving')
      } finally {
        restarting = false
      }
    },
  }
}

async function end(worker: Worker): Promise<void> {
  worker.process.kill('SIGTERM')
  await once(worker, 'exit')
}

const untilServing = (worker: Worker) =>
  new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => reject(new Error('a worker ended before it was ready')))
  })
