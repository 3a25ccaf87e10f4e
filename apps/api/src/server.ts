import { openGate } from './start/gate.ts'

// Before the program is loaded, which is most of a start.
const gate = await openGate(process.env)
const { beginFirstStage } = await import('./start/first-stage.ts')
const stage = gate && (await beginFirstStage(process.env, gate))
const { run } = await import('./start/run.ts')
await run(stage)
