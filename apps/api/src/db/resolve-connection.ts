import type { Log } from '../lib/log.ts'
import type { Connection } from './connection.ts'
import { startEngine } from './engine/start-engine.ts'

export type ResolvedConnection = {
  connection: Connection
  /** Stops the embedded engine. Does nothing for an external server. */
  stop(): Promise<void>
}

/** The server from DATABASE_URL, or else the embedded engine, which is started. */
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
