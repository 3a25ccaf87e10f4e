import { sql } from 'kysely'
import { everything } from '../../access/scope.ts'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { agentSeen } from '../../access/sight.queries.ts'

export type AgentDetails = NonNullable<Awaited<ReturnType<typeof findAgent>>>

/** A visible agent, with account and office name. */
export const findAgent = (db: DbOrTx, sight: Sight, agentId: number) =>
  selectAgents(db, sight).where('agent.id', '=', agentId).executeTakeFirst()

/** The same, with agent and account locked. */
export const lockAgent = (tx: Tx, sight: Sight, agentId: number) =>
  selectAgents(tx, sight)
    .where('agent.id', '=', agentId)
    .forNoKeyUpdate(['agent', 'account'])
    .executeTakeFirst()

/** The agents among these ids. */
export const findAgentsById = (db: DbOrTx, agentIds: readonly number[]) =>
  selectAgents(db, { scope: everything(), withHidden: true, withSuspended: true })
    .where(sql<boolean>`agent.id = any(${agentIds}::bigint[])`)
    .execute()

const selectAgents = (db: DbOrTx, sight: Sight) =>
  db
    .selectFrom('agents as agent')
    .innerJoin('offices as office', 'office.id', 'agent.office_id')
    .innerJoin('accounts as account', 'account.agent_id', 'agent.id')
    .select([
      'agent.id',
      'agent.office_id',
      'office.name as office_name',
      'agent.first_name',
      'agent.last_name',
      'agent.must_read',
      'agent.active',
      'agent.hidden',
      'agent.approved_at',
      'agent.fraud_flagged_at',
      'agent.version',
      'account.id as account_id',
      'account.username',
      'account.email',
      'account.new_email',
      'account.login_blocked',
      'account.login_open_until',
    ])
    .where(agentSeen(sight))

/** The sites of an agent's office, without hidden ones, each on or off for the agent. */
export async function findSiteSwitches(
  db: DbOrTx,
  { id, office_id }: Pick<AgentDetails, 'id' | 'office_id'>,
) {
  const { rows } = await sql<{ siteId: number; sitename: string; enable: boolean }>`
    select site.id as "siteId", site.sitename, off.site_id is null as enable
    from office_sites as office_site
    join sites as site on site.id = office_site.site_id
    left join agent_sites_off as off on off.site_id = site.id and off.agent_id = ${id}
    where office_site.office_id = ${office_id} and site.deleted_at is null and not site.hidden
    order by lower(site.sitename) collate "C", site.id
  `.execute(db)
  return rows
}

/** The sites that any of these offices may sell and that forms offer: names by id. */
export async function findSitesOfOffices(
  db: DbOrTx,
  officeIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; sitename: string }>`
    select site.id, site.sitename
    from office_sites as office_site
    join sites as site on site.id = office_site.site_id
    where office_site.office_id = any(${officeIds}::bigint[])
      and site.deleted_at is null
      and not site.hidden
    group by site.id, site.sitename
  `.execute(db)
  return new Map(rows.map(({ id, sitename }) => [id, sitename]))
}

/** Turns sites on and off for an agent. Other sites are unchanged. */
export async function switchSites(
  tx: Tx,
  agentId: number,
  { on, off }: { on: readonly number[]; off: readonly number[] },
): Promise<void> {
  await tx
    .deleteFrom('agent_sites_off')
    .where('agent_id', '=', agentId)
    .where(sql<boolean>`site_id = any(${on}::bigint[])`)
    .execute()
  await sql`
    insert into agent_sites_off (agent_id, site_id)
    select ${agentId}::bigint, site_id
    from unnest(${off}::bigint[]) as switched (site_id)
    on conflict (agent_id, site_id) do nothing
  `.execute(tx)
}
