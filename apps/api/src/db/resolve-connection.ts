import type { Log } from '../lib/log.ts'
import type { Connection } from './connection.ts'
import { startEngine } from './engine/start-engine.ts'

export type ResolvedConnection = {
  connection: Connection
  /** Ends the embedded engine; does nothing for a server that was named. */
  stop(): Promise<void>
}

/** The server that DATABASE_URL names, or else the embedded engine, started. */
export async function resolveConnection(
  config: { databaseUrl: string | undefined; dataDir: string },
  log: Log,
): Promise<ResolvedConnection> {
  if (config.databaseUrl !== undefined) {
    return { connection: { kind: 'server', url: config.databaseUrl }, stop: async () => {} }
  }
  const engine = await startEngine({ dataDir: config.dataDir, log })
  return { connection: engine.connection, stop: () => engine.stop() }
}
