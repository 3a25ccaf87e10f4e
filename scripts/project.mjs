import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A path inside the project. */
export const path = (...parts) => join(root, ...parts)

/** A line about what takes a while now. */
export function say(text) {
  console.log(`• ${text}`)
}
