import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'
import { preparedRates } from '../rates/dated-rates.queries.ts'
import { payingRateId } from '../rates/rates.queries.ts'
import { agentSeen } from '../../access/sight.queries.ts'

/** Everything that could keep an agent's links for a site from working, and the office's preferred domain. */
export type Seller = {
  agentActive: boolean
  approved: boolean
  officeActive: boolean
  /** Null if no site is given. */
  siteActive: boolean | null
  /** Whether the agent's office may sell the site. */
  officeSells: boolean
  /** Whether the site is switched off for the agent. */
  switchedOff: boolean
  /** Null if the office prefers none, or a hidden one. */
  domain: string | null
}

/**
 * Undefined unless the agent is visible. If no site is given, the facts about it are null or false.
 */
export async function findSeller(
  db: DbOrTx,
  sight: Sight,
  { siteId, agentId }: { siteId: number | undefined; agentId: number },
): Promise<Seller | undefined> {
  const { rows } = await sql<Seller>`
    select
      agent.active as "agentActive",
      agent.approved_at is not null as approved,
      office.active as "officeActive",
      site.active as "siteActive",
      office_site.site_id is not null as "officeSells",
      off.site_id is not null as "switchedOff",
      domain.domain
    from agents as agent
    join offices as office on office.id = agent.office_id
    left join sites as site on site.id = ${siteId ?? null} and site.deleted_at is null
    left join office_sites as office_site
      on office_site.office_id = agent.office_id and office_site.site_id = site.id
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    left join preferred_domains as domain
      on domain.id = office.preferred_domain_id and not domain.hidden
    where agent.id = ${agentId} and ${agentSeen(sight)}
  `.execute(db)
  return rows[0]
}

/** What a link pays. Philippine centavos; `bonusCentavos` is null if there is no bonus. */
export type Pays = { payoutCentavos: number; bonusCentavos: number | null }

/** Of a sale's two amounts the second, for a row of `link_types`, `sites` and `rates`. */
const bonusCentavos: RawBuilder<number | null> =
  sql`case when site.use_approve_sale or type.bonus then rate.bonus_payout_centavos end`

/** A link type that an agent sells, with what it pays the agent's office for a sale made now. */
export type SoldType = {
  siteId: number
  sitename: string
  typeId: number
  typename: string
  /** The link type's. */
  url: string
  /** The site's. */
  deepHosts: string[]
  avp: boolean
  useApproveSale: boolean
} & Pays

/**
 * The active link types that an agent sells, by site and name: those of one site, or of all sites
 * that are not hidden. Other links do not work.
 */
export async function findSoldTypes(
  db: DbOrTx,
  { siteId, agentId, now }: { siteId: number | undefined; agentId: number; now: Date },
): Promise<SoldType[]> {
  const { rows } = await sql<SoldType>`
    select
      site.id as "siteId", site.sitename, type.id as "typeId", type.typename, site.avp,
      site.use_approve_sale as "useApproveSale", type.url, site.deep_hosts as "deepHosts",
      rate.payout_centavos as "payoutCentavos", ${bonusCentavos} as "bonusCentavos"
    from agents as agent
    join office_sites as sold on sold.office_id = agent.office_id
    join sites as site on site.id = sold.site_id and site.active and site.deleted_at is null
    join link_types as type
      on type.site_id = site.id and type.active and type.deleted_at is null
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    join rates as rate on rate.id = ${payingRateId({ typeId: sql`type.id`, officeId: sql`agent.office_id`, at: sql`${now}::timestamptz` })}
    where agent.id = ${agentId} and off.site_id is null
      and ${siteId === undefined ? sql`not site.hidden` : sql`site.id = ${siteId}`}
    order by lower(site.sitename) collate "C", site.id, lower(type.typename) collate "C", type.id
  `.execute(db)
  return rows
}

/** What links of an agent's office will pay from the prepared changes on, the earliest first. */
export async function findPreparedPays(
  db: DbOrTx,
  { agentId, typeIds, now }: { agentId: number; typeIds: readonly number[]; now: Date },
): Promise<(Pays & { typeId: number; from: Date })[]> {
  const { rows } = await sql<Pays & { typeId: number; from: Date }>`
    with changes as (
      select distinct prepared.type_id, prepared.valid_from, agent.office_id
      from ${preparedRates(sql`${now}::timestamptz`)} as prepared
      join agents as agent on agent.id = ${agentId}
      where prepared.type_id = any (${typeIds}::bigint[])
        and (prepared.office_id is null or prepared.office_id = agent.office_id)
    )
    select
      change.type_id as "typeId", change.valid_from as "from",
      rate.payout_centavos as "payoutCentavos", ${bonusCentavos} as "bonusCentavos"
    from changes as change
    join link_types as type on type.id = change.type_id
    join sites as site on site.id = type.site_id
    join rates as rate on rate.id = ${payingRateId({ typeId: sql`change.type_id`, officeId: sql`change.office_id`, at: sql`change.valid_from` })}
    order by change.type_id, change.valid_from
  `.execute(db)
  return rows
}

export type UsedLink = {
  siteId: number
  sitename: string
  typeId: number
  typename: string
  domain: string | null
  uniques: number
  sales: number
}

/** An agent's links with clicks or sales in the last days, most unique clicks first. Only links that work. */
export async function findUsedLinks(
  tx: Tx,
  { agentId, scope }: { agentId: number; scope: Scope },
  { range, today, limit }: { range: DateRange; today: Day; limit: number },
): Promise<UsedLink[]> {
  const totals = totalsSource(
    scope,
    { range, today, filter: { agentIds: [agentId] }, dimensions: ['type_id'], byDay: true },
    ['type_id', 'uniques', 'sales'],
  )
  const { rows } = await sql<UsedLink>`
    with used as (
      select type_id, sum(uniques)::bigint as uniques, sum(sales)::bigint as sales
      from ${totals} as totals
      group by type_id
    )
    select
      site.id as "siteId", site.sitename, type.id as "typeId", type.typename, domain.domain,
      used.uniques, used.sales
    from used
    join link_types as type on type.id = used.type_id and type.active and type.deleted_at is null
    join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
    join agents as agent
      on agent.id = ${agentId} and agent.active and agent.approved_at is not null
    join offices as office on office.id = agent.office_id and office.active
    join office_sites as sold on sold.office_id = office.id and sold.site_id = site.id
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    left join preferred_domains as domain
      on domain.id = office.preferred_domain_id and not domain.hidden
    where off.site_id is null
    order by used.uniques desc, used.sales desc, type.id
    limit ${limit}
  `.execute(tx)
  return rows
}
