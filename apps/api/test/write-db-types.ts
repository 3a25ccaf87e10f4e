import { runCodegen } from './run-codegen.ts'
import { startTestServer } from './test-server.ts'

/** `npm run db:types`: generates src/db/types.ts from a newly migrated database. */
const server = await startTestServer()
try {
  const { status, said } = runCodegen(server.template)
  process.stderr.write(said)
  process.exitCode = status ?? 1
} finally {
  await server.stop()
}
