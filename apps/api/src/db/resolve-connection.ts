import type { Config } from '../config.ts'
import type { Log } from '../lib/log/log.ts'
import type { Connection } from './connection.ts'
import { startEngine } from './engine/start-engine.ts'

export type ResolvedConnection = {
  connection: Connection
  /** Stops the embedded engine. Does nothing for an external server. */
  stop(): Promise<void>
}

/** The server from DATABASE_URL, or else the embedded engine, which is started. */
export async function resolveConnection(
  config: Pick<Config, 'databaseUrl' | 'appDatabaseUrl' | 'dataDir'>,
  log: Log,
): Promise<ResolvedConnection> {
  const { databaseUrl: url, appDatabaseUrl: appUrl } = config
  if (url !== undefined) {
    return {
      connection: { kind: 'server', url, ...(appUrl !== undefined && { appUrl }) },
      stop: async () => {},
    }
  }
  const engine = await startEngine({ dataDir: config.dataDir, log })
  return { connection: engine.connection, stop: () => engine.stop() }
}
