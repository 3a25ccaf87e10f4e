import { startEngine } from '../src/db/engine/start-engine.ts'
import { silentLog } from '../src/lib/log/log.ts'

// A process that runs an engine, for tests that kill it: `node engine-process.ts DATA_DIR`.
const [, , dataDir = ''] = process.argv
const engine = await startEngine({ dataDir, log: silentLog })
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
process.stdout.write(`${engine.pid}\n`)
setInterval(() => undefined, 60_000)
