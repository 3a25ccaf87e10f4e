import type { AgentItem, AgentsSearch } from '@tallyroom/contract/people/agents'
import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import {
  byMatch,
  conditionOf,
  inOrder,
  isFound,
  matchesText,
  pageOf,
  type SearchColumns,
  type TextSearch,
} from '../../db/list-query.ts'
import { agentSeen } from '../../access/sight.queries.ts'
import { joinSold, type SoldBy, soldColumns } from '../sellers/seller-figures.queries.ts'

export type AgentRow = RowOf<
  Omit<AgentItem, 'plainPassword' | 'passwordHidden' | 'figures'>,
  | 'regTime'
  | 'lastLoginTime'
  | 'loginOpenUntil'
  | 'fraudFlaggedAt'
  | 'invitedAt'
  | 'invitationEndsAt'
> & { accountId: number; sealed: Buffer | null }

type Criteria = AgentsSearch['criteria']

/**
 * A page of agents. Counts only sites that the viewer would see in the agent's site list.
 * @param sold what it can be sorted by besides its own columns
 */
export async function findAgentRows(
  db: DbOrTx,
  sight: Sight,
  search: Omit<AgentsSearch, 'figures'>,
  sold?: SoldBy,
): Promise<AgentRow[]> {
  const rows = await findPage(db, sight, search, sold)
  const sites = await countSites(
    db,
    sight,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, sitesCount: sites.get(row.id) ?? 0 }))
}

async function findPage(
  db: DbOrTx,
  sight: Sight,
  search: Omit<AgentsSearch, 'figures'>,
  sold: SoldBy | undefined,
): Promise<Omit<AgentRow, 'sitesCount'>[]> {
  // Counting the sites of every agent is the most expensive part, so it is done only when sorting by it.
  const sites =
    search.sortField === 'sitesCount'
      ? sql`join (${siteCounts(sight)}) as sites on sites.agent_id = agent.id`
      : sql``
  const figures = sold && search.sortField in soldColumns ? joinSold(sold, sql`agent.id`) : sql``
  const { rows } = await sql<Omit<AgentRow, 'sitesCount'>>`
    select
      agent.id,
      agent.office_id as "companyId",
      office.name as "officeName",
      account.id as "accountId",
      account.username,
      agent.first_name as "firstName",
      agent.last_name as "lastName",
      account.password_sealed as sealed,
      account.email,
      agent.created_at as "regTime",
      account.last_sign_in_at as "lastLoginTime",
      account.sign_in_count as "loginCount",
      agent.active,
      agent.hidden,
      agent.approved_at is not null as approved,
      account.invited_at as "invitedAt",
      account.invitation_ends_at as "invitationEndsAt",
      account.login_blocked as "loginBlocked",
      account.login_open_until as "loginOpenUntil",
      agent.fraud_flagged_at as "fraudFlaggedAt"
    from agents as agent
    join offices as office on office.id = agent.office_id
    join accounts as account on account.agent_id = agent.id
    ${sites}
    ${figures}
    where ${agentSeen(sight)} and ${conditionOf(search.criteria, searchColumns)}
    order by ${inOrder([...orderOf(search), sql`agent.id`], search.sortAsc)}
    ${pageOf(search)}
  `.execute(db)
  return rows
}

async function countSites(
  db: DbOrTx,
  sight: Sight,
  agentIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await siteCounts(sight, agentIds).execute(db)
  return new Map(rows.map(({ agent_id, sites }) => [agent_id, sites]))
}

/** Number of sites that agents may sell: those of the office minus those switched off. */
function siteCounts({ withHidden }: Sight, agentIds?: readonly number[]) {
  const isCounted = sql`site.deleted_at is null and (${withHidden} or not site.hidden)`
  const isAsked = (id: RawBuilder<unknown>) =>
    agentIds ? sql`${id} = any(${agentIds}::bigint[])` : sql`true`
  return sql<{ agent_id: number; sites: number }>`
    select
      agent.id as agent_id,
      coalesce(offered.sites, 0) - coalesce(switched_off.sites, 0) as sites
    from agents as agent
    left join (
      select office_site.office_id, count(*) as sites
      from office_sites as office_site
      join sites as site on site.id = office_site.site_id
      where ${isCounted}
      group by office_site.office_id
    ) as offered on offered.office_id = agent.office_id
    left join (
      select off.agent_id, count(*) as sites
      from agent_sites_off as off
      join agents as agent on agent.id = off.agent_id
      join office_sites as office_site
        on office_site.office_id = agent.office_id and office_site.site_id = off.site_id
      join sites as site on site.id = off.site_id
      where ${isCounted} and ${isAsked(sql`off.agent_id`)}
      group by off.agent_id
    ) as switched_off on switched_off.agent_id = agent.id
    where ${isAsked(sql`agent.id`)}
  `
}

export async function countAgents(db: DbOrTx, sight: Sight, criteria: Criteria): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from agents as agent
    join offices as office on office.id = agent.office_id
    join accounts as account on account.agent_id = agent.id
    where ${agentSeen(sight)} and ${conditionOf(criteria, searchColumns)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The number of agents in scope that the viewer cannot see. Statistics still count their sales. */
export async function countLeftOut(db: DbOrTx, sight: Sight): Promise<number> {
  if (sight.withHidden && sight.withSuspended) return 0
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from agents as agent
    where ${agentSeen({ ...sight, withHidden: true, withSuspended: true })} and not ${agentSeen(sight)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const text: TextSearch = {
  name: sql`account.username`,
  own: [sql`agent.first_name || ' ' || agent.last_name`, sql`agent.last_name`, sql`account.email`],
  other: sql`office.name`,
}

const searchColumns: SearchColumns<Criteria[number]> = {
  text: ({ value }) => isFound(text, value),
  officeName: matchesText(sql`office.name`),
  username: matchesText(sql`account.username`),
  'agents.id': ({ value }) => sql`agent.id = ${value}`,
  companyId: ({ value }) => sql`agent.office_id = ${value}`,
  active: ({ value }) => sql`agent.active = ${value}`,
}

const username = sql`lower(account.username) collate "C"`

const orderOf = ({ sortField, criteria }: Omit<AgentsSearch, 'figures'>) =>
  sortField === 'match' ? byMatch(text, criteria) : sortColumns[sortField]

const sortColumns: Record<Exclude<AgentsSearch['sortField'], 'match'>, RawBuilder<unknown>[]> = {
  username: [username],
  officeName: [sql`lower(office.name) collate "C"`, username],
  regTime: [sql`agent.created_at`],
  // Agents who never signed in come first.
  lastLoginTime: [sql`coalesce(account.last_sign_in_at, '-infinity')`, username],
  loginCount: [sql`account.sign_in_count`, username],
  status: [sql`not agent.active`, sql`agent.hidden`, username],
  sitesCount: [sql`sites.sites`, username],
  clicks: [soldColumns.clicks, username],
  sales: [soldColumns.sales, username],
  lastSale: [soldColumns.lastSale, username],
}
