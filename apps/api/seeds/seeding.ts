import type { Db, Tx } from '../src/db/database.ts'
import type { PasswordColumn } from '../src/people/index.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Log } from '../src/lib/log/log.ts'
import { locks, takeLock } from '../src/db/locks.ts'
import type { Progress } from '../src/lib/log/progress.ts'
import type { Stores } from '../src/tracking/index.ts'

export type SeedServices = {
  /** With the owner's rights. */
  owner: Db
  ledger: Stores['ledger']
  clock: Clock
  /** The installation's secret, from which the keys for click ids and postback keys are derived. */
  secret: Buffer
  /** If omitted, no readable copies of passwords are stored. */
  passwords?: PasswordColumn
  log: Log
  progress?: Progress
}

/** Serializes seeding across processes until the transaction ends. */
export const oneAtATime = (tx: Tx): Promise<void> => takeLock(tx, locks.world)
