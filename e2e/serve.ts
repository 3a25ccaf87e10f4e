import { rmSync } from 'node:fs'
import { aheadMs, shiftDate } from './support/day.ts'

// The real server, at the time of the run, on a database of its own, which goes when the server has ended.
const dataDir = process.env['E2E_DATA_DIR']
if (!dataDir) throw new Error('E2E_DATA_DIR is not set')
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
shiftDate(aheadMs)

await import('../apps/api/src/server.ts')
