import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
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
export function step(announcement, title, work) {
  const startedAt = performance.now()
  say(announcement)
  const result = work()
  const seconds = (performance.now() - startedAt) / 1_000
  const done = `✔ ${title.padEnd(32)}${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  if (process.stdout.isTTY) console.log(`\u001B[1A\u001B[2K${done}`)
  return result
}

/** Runs a command to its end, and returns what it says. */
export function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(
    `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${command} ${args[0]} failed.`,
  )
}

/** The folder for what is made: that of `--to`, or dist/. */
export function outputFolder() {
  const to = process.argv.find((arg) => arg.startsWith('--to='))
  return to ? resolve(to.slice('--to='.length)) : path('dist')
}
