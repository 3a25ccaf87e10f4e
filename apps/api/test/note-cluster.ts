import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'

const project = join(import.meta.dirname, '../../..')
const noted = new Set<string>()

/**
 * Writes the running test file, if it meets a cluster, to the file that TEST_MEETS_CLUSTER names: it then runs on one, too. Does
 * nothing without that file.
 */
export function noteTestFile(meetsCluster: () => boolean): void {
  const list = process.env['TEST_MEETS_CLUSTER']
  const file = list && expect.getState().testPath
  if (!list || !file || noted.has(file) || !meetsCluster()) return
  noted.add(file)
  appendFileSync(list, `${relative(project, file)}\n`)
}
