import type { Connection } from '../db/connection.ts'
import type { Database } from '../db/database.ts'

/** A database connection with the owner's rights. */
export type Owned = Database & { connection: Connection }

/** A command for the operator. */
export type Command = {
  says: string
  /** Its arguments, as shown in the usage; those in brackets are optional. */
  takes?: string
  /** Takes the arguments and returns the exit code. */
  run: (database: Owned, ...words: string[]) => Promise<number>
}
