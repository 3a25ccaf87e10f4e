import type { ChatLogItem, ChatLogsSearch } from '@tallyroom/contract/desk/chat-logs'
import { endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import type { DB } from '../../db/types.ts'
import { conditionOf, direction, pageOf, type SearchColumns } from '../../db/list-query.ts'

export type ChatLogRow = RowOf<ChatLogItem, 'submitTime'>

type Criteria = ChatLogsSearch['criteria']

/** A page of the chat logs within a scope. Ties are ordered newest first. */
export async function findChatLogs(
  db: DbOrTx,
  scope: Scope,
  search: ChatLogsSearch,
): Promise<ChatLogRow[]> {
  const { rows } = await sql<ChatLogRow>`
    select
      chat.id,
      chat.office_id as "companyId",
      chat.agent_id as "agentId",
      chat.site_id as "siteId",
      office.name as "officeName",
      account.username as "agentUsername",
      site.sitename,
      chat.client_username as "clientUsername",
      chat.conversation,
      chat.submitted_at as "submitTime"
    from chat_logs as chat
    join offices as office on office.id = chat.office_id
    join accounts as account on account.agent_id = chat.agent_id
    join sites as site on site.id = chat.site_id
    where ${matching(scope, search.criteria)}
    order by
      ${sortColumns[search.sortField]} ${direction(search.sortAsc)},
      chat.submitted_at desc,
      chat.id desc
    ${pageOf(search)}
  `.execute(db)
  return rows
}

export async function countChatLogs(db: DbOrTx, scope: Scope, criteria: Criteria): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from chat_logs as chat
    where ${matching(scope, criteria)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

export const insertChatLog = (db: DbOrTx, chat: Insertable<DB['chat_logs']>) =>
  db.insertInto('chat_logs').values(chat).returning('id').executeTakeFirstOrThrow()

const sortColumns: Record<ChatLogsSearch['sortField'], RawBuilder<unknown>> = {
  officeName: sql`lower(office.name) collate "C"`,
  agentUsername: sql`lower(account.username) collate "C"`,
  sitename: sql`lower(site.sitename) collate "C"`,
  clientUsername: sql`lower(chat.client_username) collate "C"`,
  submitTime: sql`chat.submitted_at`,
}

const searchColumns: SearchColumns<Criteria[number]> = {
  companyId: ({ value }) => sql`chat.office_id = ${value}`,
  agentId: ({ value }) => sql`chat.agent_id = ${value}`,
  siteId: ({ value }) => sql`chat.site_id = ${value}`,
  submitTime: ({ value: [start, end] }) =>
    sql`(chat.submitted_at >= ${startOfDay(start)} and chat.submitted_at < ${endOfDayExclusive(end)})`,
}

/** A chat stays with the agent's office at that time. */
function matching(scope: Scope, criteria: Criteria): RawBuilder<unknown> {
  const conditions = [
    conditionOf(criteria, searchColumns),
    scope.sees === 'office' && sql`chat.office_id = ${scope.officeId}`,
    scope.sees === 'agent' && sql`chat.agent_id = ${scope.agentId}`,
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}
