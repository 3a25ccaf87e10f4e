import type { DbOrTx } from '../src/db/database.ts'

/** How often a change to a topic has been announced to all processes. */
export async function countChanges(db: DbOrTx, topic: string): Promise<number> {
  const { changes } = await db
    .selectFrom('change_counters')
    .select('changes')
    .where('topic', '=', topic)
    .executeTakeFirstOrThrow()
  return changes
}
