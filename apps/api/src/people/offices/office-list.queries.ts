import type { OfficeItem, OfficesSearch } from '@tallyroom/contract/people/offices'
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
import { agentSeen, officeSeen } from '../../access/sight.queries.ts'
import { joinSold, type SoldBy, soldColumns } from '../sellers/seller-figures.queries.ts'

export type OfficeRow = RowOf<
  Omit<OfficeItem, 'plainPassword' | 'passwordHidden' | 'figures'>,
  'regTime' | 'invitedAt' | 'invitationEndsAt'
> & {
  accountId: number
  sealed: Buffer | null
}

type Criteria = OfficesSearch['criteria']

/**
 * A page of offices, with the numbers of agents and sites that the linked lists would show the viewer.
 * @param sold what it can be sorted by besides its own columns
 */
export async function findOfficeRows(
  db: DbOrTx,
  sight: Sight,
  search: Omit<OfficesSearch, 'figures'>,
  sold?: SoldBy,
): Promise<OfficeRow[]> {
  const figures = sold && search.sortField in soldColumns ? joinSold(sold, sql`office.id`) : sql``
  const { rows } = await sql<OfficeRow>`
    with agents_of_offices as (
      select agent.office_id, count(*) as agents
      from agents as agent
      where ${agentSeen(sight)}
      group by agent.office_id
    ),
    sites_of_offices as (
      select office_site.office_id, count(*) as sites
      from office_sites as office_site
      join sites as site on site.id = office_site.site_id
      where site.deleted_at is null
      group by office_site.office_id
    )
    select
      office.id as "companyId",
      office.name as "officeName",
      coalesce(agents_of_offices.agents, 0) as "agentsCount",
      coalesce(sites_of_offices.sites, 0) as "sitesCount",
      account.id as "accountId",
      account.username,
      account.password_sealed as sealed,
      account.invited_at as "invitedAt",
      account.invitation_ends_at as "invitationEndsAt",
      domain.domain as "preferredDomain",
      office.active,
      office.hidden,
      office.created_at as "regTime"
    from offices as office
    join accounts as account on account.office_id = office.id
    left join preferred_domains as domain on domain.id = office.preferred_domain_id
    left join agents_of_offices on agents_of_offices.office_id = office.id
    left join sites_of_offices on sites_of_offices.office_id = office.id
    ${figures}
    where ${officeSeen(sight)} and ${conditionOf(search.criteria, searchColumns)}
    order by ${inOrder([...orderOf(search), sql`office.id`], search.sortAsc)}
    ${pageOf(search)}
  `.execute(db)
  return rows
}

export async function countOffices(db: DbOrTx, sight: Sight, criteria: Criteria): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from offices as office
    join accounts as account on account.office_id = office.id
    where ${officeSeen(sight)} and ${conditionOf(criteria, searchColumns)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const text: TextSearch = {
  name: sql`office.name`,
  own: [
    sql`account.username`,
    sql`office.man_first_name || ' ' || office.man_last_name`,
    sql`office.man_last_name`,
    sql`office.man_email`,
  ],
}

const searchColumns: SearchColumns<Criteria[number]> = {
  text: ({ value }) => isFound(text, value),
  officeName: matchesText(sql`office.name`),
  username: matchesText(sql`account.username`),
}

const officeName = sql`lower(office.name) collate "C"`

const orderOf = ({ sortField, criteria }: Omit<OfficesSearch, 'figures'>) =>
  sortField === 'match' ? byMatch(text, criteria) : sortColumns[sortField]

const sortColumns: Record<Exclude<OfficesSearch['sortField'], 'match'>, RawBuilder<unknown>[]> = {
  officeName: [officeName],
  agentsCount: [sql`"agentsCount"`, officeName],
  sitesCount: [sql`"sitesCount"`, officeName],
  username: [sql`lower(account.username) collate "C"`],
  preferredDomain: [sql`coalesce(domain.domain, '') collate "C"`, officeName],
  status: [sql`not office.active`, sql`office.hidden`, officeName],
  regTime: [sql`office.created_at`],
  clicks: [soldColumns.clicks, officeName],
  sales: [soldColumns.sales, officeName],
  lastSale: [soldColumns.lastSale, officeName],
}
