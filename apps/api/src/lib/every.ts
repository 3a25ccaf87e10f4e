import type { Log } from './log/log.ts'

export type Recurring = {
  /** Stops the recurrence and waits for a running task. */
  stop(): Promise<void>
  /** Runs now, or joins the current run, and restarts the interval. Failures are logged, not thrown. */
  runNow(): Promise<void>
}

/** An outage may fail a task every second. */
const SAY_AGAIN_MS = 60_000

/**
 * Runs `task` repeatedly, `ms` after the previous run ended, so runs never overlap. The first run is in `ms`.
 * Failures are logged, the same one at most once a minute, and do not stop the recurrence. The timer does not keep the process alive.
 */
export function every(
  name: string,
  ms: number,
  task: () => Promise<unknown>,
  { log }: { log: Log },
): Recurring {
  let running: Promise<void> | undefined
  let stopped = false
  let said: { message: string; at: number } | undefined
  let timer = wait()

  function wait(): NodeJS.Timeout {
    return setTimeout(() => void runNow(), ms).unref()
  }

  function runNow(): Promise<void> {
    if (stopped) return running ?? Promise.resolve()
    clearTimeout(timer)
    return (running ??= run().finally(() => {
      running = undefined
      if (!stopped) timer = wait()
    }))
  }

  async function run(): Promise<void> {
    try {
      await task()
      said = undefined
    } catch (error) {
      const message = String(error)
      if (said?.message === message && performance.now() - said.at < SAY_AGAIN_MS) return
      said = { message, at: performance.now() }
      log.error({ err: error, task: name }, 'a recurring task failed')
    }
  }

  return {
    runNow,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
