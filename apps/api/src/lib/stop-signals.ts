/** What asks a process to stop: Ctrl+C, a service manager, a closed terminal. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Two signals further apart than this are two wishes. */
const oneWishMs = 2_000

/**
 * Calls `stop` when the process is asked to stop, and ends at once when it is asked again. One Ctrl+C can
 * arrive three times: from the terminal, which tells the whole group, from npm, and from `npm start`'s script.
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
