import type { TestVisit } from '@tallyroom/contract/desk/link-tests'
import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import { sql } from 'kysely'
import { agentSeen } from '../../access/sight.queries.ts'
import type { Sight } from '../../access/sight.ts'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'

/** How long what a test has shown is kept. */
const KEPT_MS = 24 * 3_600_000

export type StoredTest = {
  endsAt: Date
  madeBy: number
  clickId: string | null
  visit: TestVisit | null
}

/** Keeps what became of the last visit of a test. */
export async function noteVisit(db: DbOrTx, id: string, visit: TestVisit): Promise<void> {
  await db
    .updateTable('link_tests')
    .set({ click_id: visit.clickId, visit: JSON.stringify(visit) })
    .where('id', '=', id)
    .execute()
}

/** A test of an agent whom the viewer sees. */
export async function findTest(
  db: DbOrTx,
  sight: Sight,
  id: string,
): Promise<StoredTest | undefined> {
  const row = await db
    .selectFrom('link_tests')
    .select(['ends_at as endsAt', 'made_by as madeBy', 'click_id as clickId', 'visit'])
    .where('id', '=', id)
    .where(
      sql<boolean>`agent_id in (select agent.id from agents as agent where ${agentSeen(sight)})`,
    )
    .executeTakeFirst()
  return row && { ...row, visit: row.visit as TestVisit | null } // as `noteVisit` has written it
}

/** The tests of an agent's links since then. Others of the agent are made once the transaction is over. */
export async function countTests(tx: Tx, agentId: number, since: Date): Promise<number> {
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('link_tests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('made_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function forgetTests(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('link_tests')
    .where('made_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute()
}

/** What came of a test's click, the earliest first. */
export async function findTestPostbacks(db: DbOrTx, clickId: string) {
  const rows = await db
    .selectFrom('postbacks')
    .select(['received_at as receivedAt', 'outcome', 'event', 'reason'])
    .where('click_id', '=', clickId)
    .where('test', '=', true)
    .orderBy('received_at')
    .limit(20)
    .execute()
  return rows.map((row) => ({ ...row, outcome: row.outcome as PostbackOutcome })) // a check of the table holds it to these
}
