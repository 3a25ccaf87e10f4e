import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'

/** For what clears agents of fraud: `pay` takes back what is held back for them, in the same transaction. */
export type GivesBack = {
  giveBack: (tx: Tx, viewer: Viewer, agentIds: readonly number[]) => Promise<void>
}
