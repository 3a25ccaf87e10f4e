import type { sellerSorts } from '@tallyroom/contract/list-choices'
import type { AgentItem, AgentsSearch } from '@tallyroom/contract/people/agents'
import type { OfficeItem, OfficesSearch } from '@tallyroom/contract/people/offices'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../apps/api/src/db/database.ts'
import { passwordOf } from './lists-world.ts'

/** The sort keys of an item. Its id is appended automatically. */
type Keys = (string | number | boolean)[]

/** A naive implementation of a list: reads every row and its counts one by one, and sorts here. */
export type Reference<Item, SortField extends string> = {
  all(db: Db): Promise<Item[]>
  idOf(item: Item): number
  keysOf: Record<SortField, (item: Item) => Keys>
  /** The columns of the list without its counts, for rows with known ids. */
  rowsAlone(db: Db, ids: readonly number[]): Promise<unknown>
}

type Row<Item> = Item & { accountId: number; regTime: Date }

const agentColumns = sql`
  agent.id, agent.office_id as "companyId", office.name as "officeName",
  agent.first_name as "firstName", agent.last_name as "lastName",
  account.id as "accountId", account.username, account.password_sealed, account.email,
  agent.created_at as "regTime", account.last_sign_in_at as "lastLoginTime",
  account.sign_in_count as "loginCount", agent.active, agent.hidden,
  agent.approved_at is not null as approved, account.login_blocked as "loginBlocked",
  account.login_open_until as "loginOpenUntil", agent.fraud_flagged_at as "fraudFlaggedAt"
`
const agentTables = sql`
  agents as agent
  join offices as office on office.id = agent.office_id
  join accounts as account on account.agent_id = agent.id
`

/** Without what is sorted by what was sold: this world has no sales. */
export type OwnSort<Sort extends string> = Exclude<Sort, (typeof sellerSorts)[number]>

export const agents: Reference<AgentItem, OwnSort<AgentsSearch['sortField']>> = {
  async all(db) {
    type Dates = { lastLoginTime: Date | null; fraudFlaggedAt: Date | null }
    const rows = await read<Row<AgentItem> & Dates>(
      db,
      sql`
        select ${agentColumns}, (
          select count(*)
          from office_sites join sites on sites.id = office_sites.site_id
          where office_sites.office_id = agent.office_id
            and sites.deleted_at is null
            and not exists (
              select from agent_sites_off as off
              where off.agent_id = agent.id and off.site_id = sites.id
            )
        ) as "sitesCount"
        from ${agentTables}
      `,
    )
    return rows.map((row) => ({
      ...presented(row),
      lastLoginTime: row.lastLoginTime?.toISOString() ?? null,
      fraudFlaggedAt: row.fraudFlaggedAt?.toISOString() ?? null,
    }))
  },
  idOf: ({ id }) => id,
  keysOf: {
    match: (agent) => [usernameOf(agent)],
    username: (agent) => [usernameOf(agent)],
    officeName: (agent) => [agent.officeName.toLowerCase(), usernameOf(agent)],
    regTime: ({ regTime }) => [regTime],
    lastLoginTime: (agent) => [agent.lastLoginTime ?? '', usernameOf(agent)],
    loginCount: (agent) => [agent.loginCount, usernameOf(agent)],
    status: (agent) => [!agent.active, agent.hidden, usernameOf(agent)],
    sitesCount: (agent) => [agent.sitesCount, usernameOf(agent)],
  },
  rowsAlone: (db, ids) =>
    read(
      db,
      sql`select ${agentColumns} from ${agentTables} where agent.id = any(${ids}::bigint[])`,
    ),
}

const officeColumns = sql`
  office.id as "companyId", office.name as "officeName", account.id as "accountId",
  account.username, account.password_sealed, domain.domain as "preferredDomain", office.active,
  office.hidden, office.created_at as "regTime"
`
const officeTables = sql`
  offices as office
  join accounts as account on account.office_id = office.id
  left join preferred_domains as domain on domain.id = office.preferred_domain_id
`

export const offices: Reference<OfficeItem, OwnSort<OfficesSearch['sortField']>> = {
  async all(db) {
    const rows = await read<Row<OfficeItem>>(
      db,
      sql`
        select ${officeColumns}, (
          select count(*) from agents where agents.office_id = office.id
        ) as "agentsCount", (
          select count(*)
          from office_sites join sites on sites.id = office_sites.site_id
          where office_sites.office_id = office.id and sites.deleted_at is null
        ) as "sitesCount"
        from ${officeTables}
      `,
    )
    return rows.map(presented)
  },
  idOf: ({ companyId }) => companyId,
  keysOf: {
    match: (office) => [nameOf(office)],
    officeName: (office) => [nameOf(office)],
    agentsCount: (office) => [office.agentsCount, nameOf(office)],
    sitesCount: (office) => [office.sitesCount, nameOf(office)],
    username: (office) => [usernameOf(office)],
    preferredDomain: (office) => [office.preferredDomain ?? '', nameOf(office)],
    status: (office) => [!office.active, office.hidden, nameOf(office)],
    regTime: ({ regTime }) => [regTime],
  },
  rowsAlone: (db, ids) =>
    read(
      db,
      sql`select ${officeColumns} from ${officeTables} where office.id = any(${ids}::bigint[])`,
    ),
}

const usernameOf = ({ username }: { username: string }) => username.toLowerCase()
const nameOf = ({ officeName }: OfficeItem) => officeName.toLowerCase()

async function read<Found>(db: Db, query: RawBuilder<unknown>): Promise<Found[]> {
  const { rows } = await sql<Found>`${query}`.execute(db)
  return rows
}

/** A row as the API returns it. */
function presented<Item>(row: Row<Item> & { password_sealed?: unknown }) {
  const { accountId, password_sealed: _, ...item } = row
  return { ...item, plainPassword: passwordOf(accountId), regTime: row.regTime.toISOString() }
}

/** The expected page. */
export function pageOf<Item, SortField extends string>(
  { idOf, keysOf }: Reference<Item, SortField>,
  items: readonly Item[],
  { sortField, sortAsc, page }: { sortField: SortField; sortAsc: boolean; page: number },
): Item[] {
  const keyed = items.map((item) => ({ item, keys: [...keysOf[sortField](item), idOf(item)] }))
  keyed.sort((a, b) => compare(a.keys, b.keys) * (sortAsc ? 1 : -1))
  return keyed.slice((page - 1) * pageSize, page * pageSize).map(({ item }) => item)
}

export const pageSize = 50

function compare(a: Keys, b: Keys): number {
  for (const [i, key] of a.entries()) {
    const other = b[i] ?? key
    if (key !== other) return key < other ? -1 : 1
  }
  return 0
}
