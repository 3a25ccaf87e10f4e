import { sql } from 'kysely'
import type { Db, Tx } from '../src/db/database.ts'
import type { PasswordColumn } from '../src/features/accounts/index.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Log } from '../src/lib/log.ts'

export type SeedServices = {
  /** With the owner's rights. */
  owner: Db
  clock: Clock
  /** The installation's secret: click ids and postback keys are made with keys derived from it. */
  secret: Buffer
  /** Left out: of the passwords no readable copies are kept. */
  passwords?: PasswordColumn
  log: Log
}

/** Waits until no other process seeds, until the end of the transaction. */
export async function oneAtATime(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7307)`.execute(tx)
}
