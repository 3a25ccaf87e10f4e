import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { direction } from '../../db/list-query.ts'
import type { Uncounted } from '../../tracking/index.ts'
import type { SubFilter } from '../../totals/index.ts'
import { type ClickFilter, matching, ofAddress, ofSub, totalsOf } from './click-filter.queries.ts'
import { endsOf } from './place-of-page.ts'

export type ClickRow = {
  agentId: number
  typeId: number
  siteId: number
  companyId: number
  clickedAt: Date
  nonce: number
  isUnique: boolean
  uncounted: Uncounted | null
  ip: string
  subs: (string | null)[] | null
  officeName: string | null
  agentUsername: string | null
  sitename: string | null
  typename: string | null
  /** The office's preferred domain. */
  domain: string | null
  referrer: string | null
  userAgent: string | null
}

type Order = { sortAsc: boolean; limit: number; offset: number }

/**
 * A slice of the clicks of some days. The unfiltered list is in the order of the primary key. For an office, agent or
 * site, the totals name the agents with clicks on each day, and an index leads to an agent's clicks on a UTC day.
 */
export function findClicksOfDays(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { days: readonly Day[] },
  order: Order,
): Promise<ClickRow[]> {
  const [start, end] = endsOf(filter.days)
  const days = { ...filter, range: { start, end } }
  const { officeId, agentId, siteId } = filter
  const isOfAll = [officeId, agentId, siteId].every((id) => id === undefined)
  if (scope.sees === 'everything' && isOfAll) {
    return findNamed(tx, sql`select * from clicks where ${matching(scope, days)}`, order)
  }
  const counted = sql`
    select clicks.*
    from (
      select
        day, agent_id,
        day::timestamp at time zone ${sql.lit(NEW_YORK)} as from_at,
        (day + 1)::timestamp at time zone ${sql.lit(NEW_YORK)} as before_at
      from ${totalsOf(scope, days, agentsByDay)} as totals
      where raws > 0 and day = any(${filter.days}::date[])
      group by day, agent_id
    ) as place
    join clicks
      on clicks.agent_id = place.agent_id
      -- A New York day ends early on the next UTC day.
      and (clicks.clicked_at at time zone 'UTC')::date between place.day and place.day + 1
      and clicks.clicked_at >= place.from_at
      and clicks.clicked_at < place.before_at
    where clicks.uncounted is null and ${matching(scope, days)}`
  const notCounted = sql`select * from clicks where uncounted is not null and ${matching(scope, days)}`
  return findNamed(tx, sql`${counted} union all ${notCounted}`, order)
}

const agentsByDay = {
  byDay: true,
  dimensions: ['agent_id'],
  columns: ['day', 'agent_id', 'raws'],
} as const

/**
 * For the rest of the transaction: the planner cannot estimate how much the BRIN filters of addresses skip, so it
 * overestimates their cost.
 */
export const planForAddress = (tx: Tx) => sql`set local enable_seqscan = off`.execute(tx)

/**
 * A slice of the clicks of an address, and their number, capped at `most`. If there are more, the
 * order is undefined.
 */
export function gatherClicksOfAddress(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { ip: string },
  { most, ...order }: Order & { most: number },
): Promise<(ClickRow & { found: number })[]> {
  const gathered = sql`select * from clicks where ${ofAddress(scope, filter)} limit ${most}`
  const counted = sql`select gathered.*, count(*) over () as found from (${gathered}) as gathered`
  return findNamed<ClickRow & { found: number }>(tx, counted, order, sql`, page.found`)
}

/**
 * A slice of the clicks of an address that is so frequent that scanning all clicks in order finds enough of
 * them quickly.
 */
export const findClicksOfFrequentAddress = (
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { ip: string },
  order: Order,
): Promise<ClickRow[]> =>
  findNamed(tx, sql`select * from clicks where ${ofAddress(scope, filter)}`, order)

/** A slice of the clicks with a sub id, or without it. */
export const findClicksOfSub = (
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { sub: SubFilter },
  agentIds: readonly number[] | undefined,
  order: Order,
): Promise<ClickRow[]> =>
  findNamed(tx, sql`select * from clicks where ${ofSub(scope, filter, agentIds)}`, order)

/**
 * The click with an id, if it is in scope and matches the filter. Its id contains its primary key.
 */
export const findClick = (
  tx: Tx,
  scope: Scope,
  filter: ClickFilter,
  { agentId, clickedAtMs, typeId, nonce }: ClickIdFields,
): Promise<ClickRow[]> =>
  findNamed(
    tx,
    sql`
      select * from clicks
      where agent_id = ${agentId} and clicked_at = ${new Date(clickedAtMs)} and nonce = ${nonce}
        and type_id = ${typeId} and ${matching(scope, filter)}`,
    { sortAsc: false, limit: 1, offset: 0 },
  )

/** The same by its id alone; undefined if it is out of scope, archived or was never stored. */
export async function findClickById(
  db: DbOrTx,
  scope: Scope,
  { agentId, clickedAtMs, typeId, nonce }: ClickIdFields,
): Promise<ClickRow | undefined> {
  const [click] = await findNamed(
    db,
    sql`
      select * from clicks
      where agent_id = ${agentId} and clicked_at = ${new Date(clickedAtMs)} and nonce = ${nonce}
        and type_id = ${typeId} and ${inScope(scope, 'clicks')}`,
    { sortAsc: false, limit: 1, offset: 0 },
  )
  return click
}

/** Takes the page from a set of clicks first, and then looks up the names. */
async function findNamed<Row extends ClickRow>(
  tx: DbOrTx,
  clicks: RawBuilder<unknown>,
  { sortAsc, limit, offset }: Order,
  moreColumns = sql``,
): Promise<Row[]> {
  const way = direction(sortAsc)
  const order = (table: string) =>
    sql`order by ${sql.ref(`${table}.clicked_at`)} ${way}, ${sql.ref(`${table}.agent_id`)} ${way}, ${sql.ref(`${table}.nonce`)} ${way}`
  const { rows } = await sql<Row>`
    with page as materialized (
      select * from (${clicks}) as click ${order('click')} limit ${limit} offset ${offset}
    )
    select
      page.agent_id as "agentId",
      page.type_id as "typeId",
      type.site_id as "siteId",
      page.office_id as "companyId",
      page.clicked_at as "clickedAt",
      page.nonce,
      page.is_unique as "isUnique",
      page.uncounted,
      host(page.ip) as ip,
      page.subs,
      office.name as "officeName",
      account.username as "agentUsername",
      site.sitename,
      type.typename,
      domain.domain,
      referrer.referrer,
      browser.user_agent as "userAgent"
      ${moreColumns}
    from page
    left join offices as office on office.id = page.office_id
    left join preferred_domains as domain on domain.id = office.preferred_domain_id
    left join accounts as account on account.agent_id = page.agent_id
    left join link_types as type on type.id = page.type_id
    left join sites as site on site.id = type.site_id
    left join referrers as referrer on referrer.id = page.referrer_id
    left join user_agents as browser on browser.id = page.user_agent_id
    ${order('page')}
  `.execute(tx)
  return rows
}
