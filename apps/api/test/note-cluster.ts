import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'

const project = join(import.meta.dirname, '../../..')
const noted = new Set<string>()

/**
 * Writes the running test file, if it asks a distributed table, to the file that TEST_MEETS_CLUSTER names: it is then among the
 * first that run on a cluster. Does nothing without that file.
 */
export function noteTestFile(asksDistributed: () => boolean): void {
  const list = process.env['TEST_MEETS_CLUSTER']
  const file = list && expect.getState().testPath
  if (!list || !file || noted.has(file) || !asksDistributed()) return
  noted.add(file)
  appendFileSync(list, `${relative(project, file)}\n`)
}
