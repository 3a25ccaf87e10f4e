import type { FactContent } from '@tallyroom/contract/desk/facts'
import type { FactKind } from '@tallyroom/domain/facts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { writeBesideShards } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'

/** Whose a fact is. Of an agent's, `writeFacts` finds the office. What is of somebody deleted is for staff only. */
type FactOwner = { agentId: number } | { officeId: number } | { accountId: number } | 'network'

/** A fact to write. */
export type NewFact = FactContent & { of: FactOwner }

/** When it became true, the same for all that one act did, and who did it: it is no news to them. */
export type FactOrigin = { at: Date; byAccountId: number | null }

/**
 * Writes what people and programs may want to hear of, in the transaction that makes it true, so that nothing goes untold and
 * nothing is told that was rolled back.
 */
export async function writeFacts(
  tx: Tx,
  facts: readonly NewFact[],
  { at, byAccountId }: FactOrigin,
): Promise<void> {
  if (facts.length === 0) return
  const rows = facts.map(({ of, kind, subject }) => ({
    id: randomUUID(),
    kind,
    subject,
    agent_id: of !== 'network' && 'agentId' in of ? of.agentId : null,
    office_id: of !== 'network' && 'officeId' in of ? of.officeId : null,
    account_id: of !== 'network' && 'accountId' in of ? of.accountId : null,
  }))
  await writeBesideShards(tx, () =>
    sql`
    insert into facts
      (id, kind, happened_at, office_id, agent_id, account_id, by_account_id, subject)
    select
      fact.id, fact.kind, ${at}, coalesce(office.id, agent.office_id), agent.id, fact.account_id,
      ${byAccountId}::bigint, fact.subject
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fact (
      id uuid, kind text, office_id bigint, agent_id bigint, account_id bigint, subject jsonb
    )
    left join agents as agent on agent.id = fact.agent_id
    left join offices as office on office.id = fact.office_id
  `.execute(tx),
  )
  // On a cluster, one statement could not refer to rows that it inserts.
  await sql`
    with fact as (select * from facts where id = any(${rows.map(({ id }) => id)}::uuid[])),
    to_mail as (insert into untold_facts (fact_id) select id from fact)
    insert into notices (id, kind, agent_id, office_id, written_at)
    select id, kind, agent_id, office_id, happened_at
    from fact
    where account_id is null and exists (
      select from postback_targets as target
      where target.format = 'webhook' and target.state in ('on', 'failing')
        and fact.kind = any(target.events)
    )
  `.execute(tx)
}

/** Whether something was told since then, to this account if one is given: a fact whose subject has at least these values. */
export async function hasFactSince(
  tx: Tx,
  {
    accountId,
    fact: { kind, subject },
    since,
  }: { accountId?: number; fact: { kind: FactKind; subject: object }; since: Date },
): Promise<boolean> {
  const found = await tx
    .selectFrom('facts')
    .select('id')
    .where((eb) => (accountId === undefined ? eb.lit(true) : eb('account_id', '=', accountId)))
    .where('kind', '=', kind)
    .where('happened_at', '>', since)
    .where(sql<boolean>`subject @> ${JSON.stringify(subject)}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const KEEP_MS = 90 * 86_400_000

/** Deletes what happened more than 90 days ago. Runs every hour. */
export async function forgetFacts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('facts')
    .where('happened_at', '<', new Date(now.getTime() - KEEP_MS))
    .execute()
}
