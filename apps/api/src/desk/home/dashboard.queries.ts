import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'

/** The notes for the viewer's office or agent, and whether the agent is suspended for fraud. */
export type OwnNotes = { notes: string[]; suspendedForFraud: boolean }

export async function findOwnNotes(db: DbOrTx, scope: Scope): Promise<OwnNotes> {
  switch (scope.sees) {
    case 'everything':
      return { notes: [], suspendedForFraud: false }
    case 'office': {
      const office = await db
        .selectFrom('offices')
        .select('agent_notes')
        .where('id', '=', scope.officeId)
        .executeTakeFirst()
      return { notes: [office?.agent_notes ?? ''], suspendedForFraud: false }
    }
    case 'agent': {
      const agent = await db
        .selectFrom('agents as agent')
        .innerJoin('offices as office', 'office.id', 'agent.office_id')
        .select([
          'office.agent_notes',
          'agent.must_read',
          sql<boolean>`not agent.active and agent.fraud_flagged_at is not null`.as(
            'suspended_for_fraud',
          ),
        ])
        .where('agent.id', '=', scope.agentId)
        .executeTakeFirst()
      return {
        notes: [agent?.agent_notes ?? '', agent?.must_read ?? ''],
        suspendedForFraud: agent?.suspended_for_fraud ?? false,
      }
    }
  }
}
