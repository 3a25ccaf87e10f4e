import type { Insertable } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

type NewsRow = { id: number; html: string; created_at: Date }

/** The newest by id, since clocks of several machines differ. */
export const findLastNews = (db: DbOrTx): Promise<NewsRow | undefined> =>
  db
    .selectFrom('news')
    .select(['id', 'html', 'created_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertNews(tx: Tx, news: Insertable<DB['news']>): Promise<void> {
  await tx.insertInto('news').values(news).execute()
}

type AlertRow = { id: number; enabled: boolean; html: string }

export const findLastAlert = (db: DbOrTx): Promise<AlertRow | undefined> =>
  db
    .selectFrom('alerts')
    .select(['id', 'enabled', 'html'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertAlert(tx: Tx, alert: Insertable<DB['alerts']>): Promise<void> {
  await tx.insertInto('alerts').values(alert).execute()
}

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

export const findOfficeStanding = (
  db: DbOrTx,
  officeId: number,
): Promise<{ active: boolean } | undefined> =>
  db.selectFrom('offices').select('active').where('id', '=', officeId).executeTakeFirst()
