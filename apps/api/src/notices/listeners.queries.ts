import type { Db } from '../db/database.ts'

/** Who wants to hear of sales, or would if their target had not failed. */
export async function findListeners(
  db: Db,
): Promise<{ network: boolean; offices: Set<number>; agents: Set<number> }> {
  const targets = await db
    .selectFrom('postback_targets')
    .select(['office_id', 'agent_id'])
    .distinct()
    .where('state', 'in', ['on', 'failing'])
    .execute()
  return {
    network: targets.some((one) => one.office_id === null && one.agent_id === null),
    offices: new Set(targets.flatMap((one) => one.office_id ?? [])),
    agents: new Set(targets.flatMap((one) => one.agent_id ?? [])),
  }
}
