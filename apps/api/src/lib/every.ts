import type { Log } from './log.ts'

export type Recurring = {
  /** Ends the recurrence and waits for a run that is under way. */
  stop(): Promise<void>
  /** Runs now, or joins the run under way, and starts the wait anew. Failures are logged, not thrown. */
  runNow(): Promise<void>
}

/**
 * Runs `task` again and again, `ms` after the previous run ended: it never overlaps itself. The first run
 * is `ms` from now. A failed run is logged and the next one comes as usual. The timer does not keep the
 * process alive.
 */
export function every(
  name: string,
  ms: number,
  task: () => Promise<unknown>,
  { log }: { log: Log },
): Recurring {
  let running: Promise<void> | undefined
  let stopped = false
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
    } catch (error) {
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
