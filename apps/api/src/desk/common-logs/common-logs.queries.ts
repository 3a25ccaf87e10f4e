import type { CommonLogItem, ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { ActionType } from '@tallyroom/contract/endpoint'
import type { RoleNumber } from '@tallyroom/domain/roles'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { contains, direction, isFrom } from '../../db/list-query.ts'

/**
 * Which entries to list. Ids are inclusive and represent days, because ids and times increase
 * together.
 */
export type EntryFilter = {
  fromId: number
  toId: number
  role?: RoleNumber | undefined
  username?: string | undefined
  /** An address or network. */
  network?: string | undefined
  officeId?: number | undefined
  agentId?: number | undefined
  accountId?: number | undefined
  actionType?: ActionType | undefined
  actionName?: string | undefined
  responseCode?: number | undefined
  postParams?: string | undefined
  /** Calls to leave out. */
  exceptActions?: readonly string[] | undefined
  changesOnly?: boolean | undefined
  object?: ObjectRef | undefined
}

export type EntryRow = Omit<CommonLogItem, 'date' | 'role' | 'ip' | 'sentence' | 'changes'> & {
  at: Date
  role: number | null
  ip: string | null
  changes: string | null
}

export type EntryOrder = { sortField: 'date' | 'username' | 'ip'; sortAsc: boolean }

/** The entries of a condition from {@link conditionOn}, in the given order. */
export async function findEntries(
  db: DbOrTx,
  condition: EntryCondition,
  { order, limit, offset }: { order: EntryOrder; limit: number; offset: number },
): Promise<EntryRow[]> {
  const way = direction(order.sortAsc)
  const { rows } = await sql<EntryRow>`
    select
      id,
      at,
      role,
      username,
      host(ip) as ip,
      account_name as "accountName",
      agent_id as "agentId",
      agent_name as "agentName",
      office_id as "companyId",
      office_name as "officeName",
      action_type as "actionType",
      action_name as "actionName",
      response_code as "responseCode",
      post_params as "postParams",
      get_params as "getParams",
      changes,
      token_name as "tokenName"
    from audit_log
    where ${condition}
    order by ${sortColumns[order.sortField](way)}
    limit ${limit} offset ${offset}
  `.execute(db)
  return rows
}

export async function countEntries(db: DbOrTx, condition: EntryCondition): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from audit_log
    where ${condition}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The first entry at or after an instant; undefined if there is none. */
export async function findFirstIdFrom(db: DbOrTx, from: Date): Promise<number | undefined> {
  const entry = await db
    .selectFrom('audit_log')
    .select('id')
    .where('at', '>=', from)
    .orderBy('at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return entry?.id
}

/** The last entry before an instant; undefined if there is none. */
export async function findLastIdBefore(db: DbOrTx, before: Date): Promise<number | undefined> {
  const entry = await db
    .selectFrom('audit_log')
    .select('id')
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return entry?.id
}

export type EntryCondition = RawBuilder<boolean> & { readonly [madeHere]: true }

declare const madeHere: unique symbol

/**
 * The condition of a filter within a scope. Parts of names are first looked up among the few distinct names,
 * because the indexes only support equality.
 */
export async function conditionOn(
  db: DbOrTx,
  scope: Scope,
  filter: EntryFilter,
): Promise<EntryCondition> {
  const { username, actionName, network, postParams } = filter
  const conditions = [
    sql`id between ${filter.fromId} and ${filter.toId}`,
    scope.sees !== 'everything' && sql`office_id = ${scope.officeId}`,
    scope.sees === 'agent' && sql`agent_id = ${scope.agentId}`,
    filter.role !== undefined && sql`role = ${filter.role}`,
    filter.officeId !== undefined && sql`office_id = ${filter.officeId}`,
    filter.agentId !== undefined && sql`agent_id = ${filter.agentId}`,
    filter.accountId !== undefined && sql`account_id = ${filter.accountId}`,
    filter.actionType !== undefined && sql`action_type = ${filter.actionType}`,
    filter.responseCode !== undefined && sql`response_code = ${filter.responseCode}`,
    network !== undefined && isFrom(sql`ip`, network),
    username !== undefined &&
      sql`${names.username} = any(${await findNames(db, 'username', username)}::text[])`,
    actionName !== undefined &&
      sql`${names.actionName} = any(${await findNames(db, 'actionName', actionName)}::text[])`,
    postParams !== undefined && contains(sql`post_params`, postParams),
    filter.exceptActions !== undefined && sql`action_name <> all(${filter.exceptActions}::text[])`,
    // Written as in the index definition.
    filter.changesOnly && sql`action_type in ('CREATE', 'UPDATE', 'STATUS', 'DELETE')`,
    filter.object !== undefined && sql`objects @> array[${filter.object}]::text[]`,
  ].filter((condition) => condition !== false && condition !== undefined)
  return sql<boolean>`${sql.join(conditions, sql` and `)}` as EntryCondition // the only place that creates them
}

/** As indexed. */
const names = {
  username: sql`lower(username) collate "C"`,
  actionName: sql`action_name collate "C"`,
}

/**
 * The distinct names that contain a text, by a skip scan: one index jump per name, however many entries there
 * are.
 */
async function findNames(
  db: DbOrTx,
  column: keyof typeof names,
  searched: string,
): Promise<string[]> {
  const name = names[column]
  const { rows } = await sql<{ name: string }>`
    with recursive different as (
      (select ${name} as name from audit_log order by 1 limit 1)
      union all
      select (select ${name} from audit_log where ${name} > different.name order by 1 limit 1)
      from different
      where different.name is not null
    )
    select name
    from different
    where ${contains(sql`name`, searched)}
  `.execute(db)
  return rows.map((row) => row.name)
}

const sortColumns: Record<
  EntryOrder['sortField'],
  (way: RawBuilder<unknown>) => RawBuilder<unknown>
> = {
  date: (way) => sql`id ${way}`,
  username: (way) => sql`${names.username} ${way}, id ${way}`,
  ip: (way) => sql`audit_log.ip ${way}, id ${way}`,
}
