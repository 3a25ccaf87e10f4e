import type { DbOrTx } from '../../db/database.ts'

/** The newest by id, since clocks of several machines differ. */
export const findLastNews = (db: DbOrTx) =>
  db
    .selectFrom('news')
    .select(['id', 'html', 'created_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findLastAlert = (db: DbOrTx) =>
  db
    .selectFrom('alerts')
    .select(['id', 'enabled', 'html'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The data behind an agent's own alert. */
export type AgentStanding = { active: boolean; fraud_flagged_at: Date | null; must_read: string }

export const findAgentStanding = (
  db: DbOrTx,
  agentId: number,
): Promise<AgentStanding | undefined> =>
  db
    .selectFrom('agents')
    .select(['active', 'fraud_flagged_at', 'must_read'])
    .where('id', '=', agentId)
    .executeTakeFirst()

export const findOfficeStanding = (db: DbOrTx, officeId: number) =>
  db.selectFrom('offices').select('active').where('id', '=', officeId).executeTakeFirst()
