// oxlint-disable-next-line no-restricted-imports -- sessions of its own beside the pool, not SQL
import pg from 'pg'
import { type Connection, withSettings } from '../../db/connection.ts'
import { appRole } from '../../db/database.ts'

/**
 * A database session of the clicks' own, beside the pool: its statements stay prepared, and no report can
 * keep it from them. A statement that runs longer than `longestMs` fails, on both sides.
 */
export async function openClickSession(
  connection: Connection,
  longestMs: number,
): Promise<pg.Client> {
  const { url } = withSettings(connection, { role: appRole, statement_timeout: longestMs })
  const session = new pg.Client({
    connectionString: url,
    application_name: 'tallyroom clicks',
    connectionTimeoutMillis: 2_000,
    // The server's own limit comes first unless the server no longer answers at all.
    query_timeout: longestMs + 500,
    keepAlive: true,
  })
  session.on('error', () => undefined) // a lost session: 'end' follows
  try {
    await session.connect()
    return session
  } catch (error) {
    void session.end().catch(() => undefined)
    throw error
  }
}
