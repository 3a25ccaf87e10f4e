import type { BlackListIpSearch } from '@tallyroom/contract/people/blacklist'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import {
  conditionOf,
  inOrder,
  matchesText,
  pageOf,
  type SearchColumns,
} from '../../db/list-query.ts'

/** All ranges of the black list, such as `192.0.2.0/24`, in ascending order, which makes sorting them again cheap. */
export async function findAllRanges(db: DbOrTx): Promise<string[]> {
  // One value instead of 100,000 rows: parsing rows blocks the event loop, and so the redirects.
  const { rows } = await sql<{ ranges: string | null }>`
    select string_agg(ip::text, ' ' order by ip) as ranges
    from ip_blacklist
  `.execute(db)
  return rows[0]?.ranges?.split(' ') ?? []
}

/** Whether one of these networks is listed: one index look-up each, however long the list. */
export async function isAnyListed(db: DbOrTx, networks: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from ip_blacklist
    where ip = any(${networks}::cidr[])
    limit 1
  `.execute(db)
  return rows.length > 0
}

export type BlackListRow = { id: number; ip: string; addedAt: Date }

type Criteria = BlackListIpSearch['criteria']

export async function findBlackListRows(
  db: DbOrTx,
  search: BlackListIpSearch,
): Promise<BlackListRow[]> {
  const { rows } = await sql<BlackListRow>`
    select listed.id, ${shownIp} as ip, listed.created_at as "addedAt"
    from ip_blacklist as listed
    where ${conditionOf(search.criteria, searchColumns)}
    order by ${inOrder(sortColumns[search.sortField], search.sortAsc)}
    ${pageOf(search)}
  `.execute(db)
  return rows
}

export async function countBlackListRows(db: DbOrTx, criteria: Criteria): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from ip_blacklist as listed
    where ${conditionOf(criteria, searchColumns)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** A single address is shown without its prefix length. */
const shownIp = sql`
  case
    when masklen(listed.ip) = case family(listed.ip) when 4 then 32 else 128 end
      then host(listed.ip)
    else text(listed.ip)
  end
`

const searchColumns: SearchColumns<Criteria[number]> = { ip: matchesText(shownIp) }

const sortColumns: Record<BlackListIpSearch['sortField'], RawBuilder<unknown>[]> = {
  // The order of the unique index.
  ip: [sql`listed.ip`],
  addedAt: [sql`listed.created_at`, sql`listed.id`],
}

/** False if it already exists. */
export async function insertRange(tx: Tx, range: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into ip_blacklist (ip, created_at)
    values (${range}::cidr, ${at})
    on conflict (ip) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** False if it does not exist. */
export async function deleteEntry(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from ip_blacklist
    where id = ${id}
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Returns the positions in `ranges`, from 0, of those that were listed. */
export async function deleteRanges(tx: Tx, ranges: readonly string[]): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    delete from ip_blacklist as listed
    using unnest(${ranges}::cidr[]) with ordinality as asked (ip, place)
    where listed.ip = asked.ip
    returning asked.place
  `.execute(tx)
  return new Set(rows.map(({ place }) => place - 1))
}

/** For each of these ranges, the narrowest listed network that contains it, or undefined. */
export async function findNetworksAround(
  db: DbOrTx,
  ranges: readonly string[],
): Promise<(string | undefined)[]> {
  // One index look-up per leading bit of each range's address.
  const { rows } = await sql<{ network: string | null }>`
    select (
      select text(listed.ip)
      from generate_series(masklen(asked.ip), 0, -1) as bits
      join ip_blacklist as listed on listed.ip = set_masklen(asked.ip, bits)
      order by bits desc
      limit 1
    ) as network
    from unnest(${ranges}::cidr[]) with ordinality as asked (ip, place)
    order by asked.place
  `.execute(db)
  return rows.map(({ network }) => network ?? undefined)
}
