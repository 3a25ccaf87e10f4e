import type { SiteItem, SitesSearch } from '@tallyroom/contract/catalogue/sites'
import type { SiteCategory } from '@tallyroom/domain/labels'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { conditionOf, matchesText, type SearchColumns } from '../../db/list-query.ts'
import { sellable } from './sites.queries.ts'

type Criteria = SitesSearch['criteria']

/** A page of the sites in scope, including hidden and suspended ones, with their numbers of link types. */
export function findSiteRows(
  db: DbOrTx,
  scope: Scope,
  { criteria, sortField, sortAsc, page, pageSize }: SitesSearch,
): Promise<SiteItem[]> {
  let sites = found(db, scope, criteria)
    .select([
      'site.id',
      'site.sitename',
      'site.shortname',
      'site.abbr',
      'site.url',
      'site.type',
      'site.use_approve_sale as useApproveSale',
      'site.active',
      'site.hidden',
      typeCount.as('typeCount'),
    ])
    .$narrowType<{ type: SiteCategory }>() // guaranteed by the table's check constraint
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  // Ends in a unique column, so that pages never overlap.
  for (const column of [...sortColumns[sortField], sql`site.id`]) {
    sites = sites.orderBy(column, sortAsc ? 'asc' : 'desc')
  }
  return sites.execute()
}

export async function countSites(db: DbOrTx, scope: Scope, criteria: Criteria): Promise<number> {
  const { total } = await found(db, scope, criteria)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const found = (db: DbOrTx, scope: Scope, criteria: Criteria) =>
  sellable(db, scope).where(sql<boolean>`${conditionOf(criteria, searchColumns)}`)

const searchColumns: SearchColumns<Criteria[number]> = {
  sitename: matchesText(sql`site.sitename`),
  type: ({ value }) => sql`site.type = ${value}`,
  active: ({ value }) => sql`site.active = ${value}`,
}

const typeCount = sql<number>`(
  select count(*) from link_types as type where type.site_id = site.id and type.deleted_at is null
)`

const sitename = sql`lower(site.sitename) collate "C"`

const sortColumns: Record<SitesSearch['sortField'], RawBuilder<unknown>[]> = {
  sitename: [sitename],
  type: [sql`site.type`, sitename],
  status: [sql`not site.active`, sql`site.hidden`, sitename],
}
