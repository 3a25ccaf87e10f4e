import type { Connection } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import type { Progress } from '../lib/log/progress.ts'
import type { AllStores } from './stores.ts'

/** A database connection with the owner's rights, and what shows to whoever waits how far a command is. */
export type Owned = Database & {
  connection: Connection
  progress: Progress
  /** Asks the database for its own. */
  stores: () => Promise<AllStores>
}

/** A command for the operator. */
export type Command = {
  says: string
  /** Its arguments, as shown in the usage; those in brackets are optional. */
  takes?: string
  /** Takes the arguments and returns the exit code. */
  run: (database: Owned, ...words: string[]) => Promise<number>
}
