import { type Day, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

export type QuietSite = {
  siteId: number
  sitename: string
  usualSales: number
  lastSaleAt: Date | null
}

/** Active sites with sales on these days, and the last sale of each since `from`. */
export async function findQuietSites(
  tx: Tx,
  scope: Scope,
  {
    usual,
    today,
    least,
    quietSince,
  }: { usual: DateRange; today: Day; least: number; quietSince: Date },
): Promise<QuietSite[]> {
  const totals = {
    range: usual,
    today,
    filter: {},
    dimensions: ['site_id'],
    byDay: true,
  } as const
  const { rows: sites } = await sql<Omit<QuietSite, 'lastSaleAt'>>`
    with usual as (
      select site_id, sum(sales)::bigint as sales
      from ${totalsSource(scope, totals, ['site_id', 'sales'])} as totals
      group by site_id
    )
    select site.id as "siteId", site.sitename, usual.sales as "usualSales"
    from usual
    join sites as site on site.id = usual.site_id
    where site.active and site.deleted_at is null and usual.sales >= ${least}
    order by usual.sales desc, site.id
  `.execute(tx)
  // Most sites have sold within the last hours; only the others need the longer search.
  const lately = await lastSales(tx, { from: quietSince })
  const rest = sites.map(({ siteId }) => siteId).filter((id) => !lately.has(id))
  const earlier =
    rest.length === 0
      ? new Map<number, Date>()
      : await lastSales(tx, { from: startOfDay(usual.start), siteIds: rest })
  return sites
    .filter(({ siteId }) => !lately.has(siteId))
    .map((site) => ({ ...site, lastSaleAt: earlier.get(site.siteId) ?? null }))
}

async function lastSales(
  tx: Tx,
  { from, siteIds }: { from: Date; siteIds?: readonly number[] },
): Promise<Map<number, Date>> {
  const { rows } = await sql<{ site_id: number; last: Date }>`
    select site_id, max(occurred_at) as last
    from sale_events
    where occurred_at >= ${from} and event_type = 0 and quantity = 1
      and ${siteIds ? sql`site_id = any(${siteIds}::integer[])` : sql`true`}
    group by site_id
  `.execute(tx)
  return new Map(rows.map(({ site_id, last }) => [site_id, last]))
}
