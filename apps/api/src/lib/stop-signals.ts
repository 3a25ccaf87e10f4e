/** Signals that ask a process to stop: Ctrl+C, a service manager, a closed terminal. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Signals within this time count as one request. */
const oneWishMs = 2_000

/**
 * Calls `stop` on the first stop signal and exits at once on the second request. One Ctrl+C can arrive three
 * times: from the terminal, which signals the whole group, from npm, and from the script of `npm start`.
 */
export function onStopSignal(stop: () => void): void {
  let firstAt: number | undefined
  for (const signal of stopSignals) {
    process.on(signal, () => {
      const now = performance.now()
      if (firstAt === undefined) {
        firstAt = now
        stop()
      } else if (now - firstAt > oneWishMs) {
        process.exit(1)
      }
    })
  }
}
