import type { Config } from './config.ts'
import type { Connection } from './db/connection.ts'
import type { Db } from './db/database.ts'
import type { Pulse } from './db/pulse.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log/log.ts'

/** The dependencies of features. Each takes the parts that it needs. */
export type Services = {
  config: Config
  db: Db
  /** Whether the database responds. */
  pulse: Pick<Pulse, 'feel' | 'unlessSilent'>
  /** For code that needs its own session outside of the pool. */
  connection: Connection
  /** For statistics: the read replica if configured, otherwise `db`. */
  reportDb: Db
  clock: Clock
  log: Log
  /** The installation's secret, from which a key for each purpose is derived. */
  secret: Buffer
  /** Earlier secrets, newest first, to read what they encrypted or signed. */
  formerSecrets: readonly Buffer[]
}
