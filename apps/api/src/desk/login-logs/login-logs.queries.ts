import type { LoginLogItem, LoginLogsSearch } from '@tallyroom/contract/desk/login-logs'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { direction, isFrom } from '../../db/list-query.ts'

/** Which sessions to list, by time of sign-in: `from` inclusive, `before` exclusive. */
export type SessionFilter = {
  /** An address or network. */
  network: string | undefined
  officeId: number | undefined
  agentId: number | undefined
  from: Date | undefined
  before: Date | undefined
}

export type LoginLogRow = RowOf<Omit<LoginLogItem, 'ip'>, 'inTime' | 'outTime'> & { ip: string }

/** A page of the sessions. A session that expired, or was last used at `idleSince`, ended with its last use. */
export async function findSessions(
  db: DbOrTx,
  scope: Scope,
  filter: SessionFilter,
  page: {
    now: Date
    idleSince: Date
    order: Pick<LoginLogsSearch, 'sortField' | 'sortAsc'>
    limit: number
    offset: number
  },
): Promise<LoginLogRow[]> {
  const way = direction(page.order.sortAsc)
  const outTime = sql`
    coalesce(
      session.ended_at,
      case
        when session.expires_at <= ${page.now} or session.last_seen_at <= ${page.idleSince}
        then session.last_seen_at
      end
    )`
  const columns: Record<LoginLogsSearch['sortField'], RawBuilder<unknown>> = {
    inTime: sql`session.started_at`,
    outTime,
    username: sql`lower(${username}) collate "C"`,
    ip: sql`session.ip`,
  }
  const { rows } = await sql<LoginLogRow>`
    select
      session.id,
      ${username} as username,
      account.agent_id as "agentId",
      account.office_id as "companyId",
      host(session.ip) as ip,
      session.started_at as "inTime",
      ${outTime} as "outTime",
      signer.username as "signedInBy"
    from sessions as session
    left join accounts as account on account.id = session.account_id
    left join agents as agent on agent.id = account.agent_id
    left join accounts as signer on signer.id = session.signed_in_by
    where ${matching(scope, filter)}
    order by ${columns[page.order.sortField]} ${way}, session.id
    limit ${page.limit} offset ${page.offset}
  `.execute(db)
  return rows
}

export async function countSessions(
  db: DbOrTx,
  scope: Scope,
  filter: SessionFilter,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from sessions as session
    left join accounts as account on account.id = session.account_id
    left join agents as agent on agent.id = account.agent_id
    where ${matching(scope, filter)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** For a deleted admin, the former username. */
const username = sql`coalesce(account.username, session.former_username)`

function matching(scope: Scope, filter: SessionFilter): RawBuilder<unknown> {
  const office = sql`coalesce(account.office_id, agent.office_id)`
  const { network } = filter
  const conditions = [
    sql`true`,
    scope.sees !== 'everything' && sql`${office} = ${scope.officeId}`,
    scope.sees === 'agent' && sql`account.agent_id = ${scope.agentId}`,
    // Offices must not see from where staff used *Sign in as*.
    scope.sees !== 'everything' && sql`session.signed_in_from is null`,
    filter.officeId !== undefined && sql`${office} = ${filter.officeId}`,
    filter.agentId !== undefined && sql`account.agent_id = ${filter.agentId}`,
    filter.from !== undefined && sql`session.started_at >= ${filter.from}`,
    filter.before !== undefined && sql`session.started_at < ${filter.before}`,
    network !== undefined && isFrom(sql`session.ip`, network),
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}
