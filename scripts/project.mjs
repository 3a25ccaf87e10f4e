import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A path in the project. */
export const path = (...parts) => join(root, ...parts)

/** Announces a slow step. */
export function say(text) {
  console.log(`• ${text}`)
}
