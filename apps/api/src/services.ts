import type { Config } from './config.ts'
import type { Layout } from './db/citus/layout.ts'
import type { Connection } from './db/connection.ts'
import type { Db } from './db/database.ts'
import type { Pulse } from './db/pulse.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'

/** What features are built from. Each takes the parts that it needs. */
export type Services = {
  config: Config
  db: Db
  /** Whether the database gives a sign of life. */
  pulse: Pick<Pulse, 'feel'>
  /** For what keeps sessions of its own, beside the pool. */
  connection: Connection
  /** How the events are written. */
  layout: Layout
  /** For statistics: a read replica when one is configured, else `db`. */
  reportDb: Db
  clock: Clock
  log: Log
  /** The installation's secret; keys for each purpose are derived from it. */
  secret: Buffer
  /** The secrets before it, newest first: what they sealed or signed is still read. */
  formerSecrets: readonly Buffer[]
}
