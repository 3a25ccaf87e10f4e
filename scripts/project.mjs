import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Bottom up: each may use those before it (docs/ARCHITECTURE.md). */
export const rooms = ['people', 'catalogue', 'tracking', 'pay', 'figures', 'desk', 'operate']

/** A path in the project. */
export const path = (...parts) => join(root, ...parts)

/** Announces a slow step. */
export function say(text) {
  console.log(`• ${text}`)
}

/** Runs a slow step. On a terminal, how long it took takes the place of the announcement. */
export function step(announcement, title, run) {
  const startedAt = performance.now()
  say(announcement)
  const result = run()
  const seconds = (performance.now() - startedAt) / 1_000
  const done = `✔ ${title.padEnd(32)}${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  if (process.stdout.isTTY) console.log(`\u001B[1A\u001B[2K${done}`)
  return result
}
