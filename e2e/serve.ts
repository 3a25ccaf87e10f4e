import { rmSync } from 'node:fs'
import { openPublicNames } from '../apps/api/test/public-names.ts'
import { aheadMs, shiftDate } from './support/day.ts'

// Runs the real server with the clock of the run, on a temporary database that is deleted on exit.
const dataDir = process.env['E2E_DATA_DIR']
if (!dataDir) throw new Error('E2E_DATA_DIR is not set')
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
shiftDate(aheadMs)
// For the trackers of tests.
openPublicNames()

await import('../apps/api/src/server.ts')
