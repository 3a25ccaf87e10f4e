import { rmSync } from 'node:fs'

// The real server on a database of its own, which goes when the server has ended.
const dataDir = process.env['E2E_DATA_DIR']
if (!dataDir) throw new Error('E2E_DATA_DIR is not set')
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))

await import('../apps/api/src/server.ts')
