import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { type Day, endOfDayExclusive, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { direction } from '../../db/list-query.ts'
import type { Uncounted } from '../clicks/index.ts'
import { totalsSource } from '../../totals/index.ts'
import { type DayCount, endsOf } from './place-of-page.ts'

/** Which clicks to list. */
export type ClickFilter = {
  siteId: number | undefined
  officeId: number | undefined
  agentId: number | undefined
  /** Both days inclusive. */
  range: DateRange
  /** The totals end with this day. */
  today: Day
}

export type ClickRow = {
  agentId: number
  typeId: number
  siteId: number
  companyId: number
  clickedAt: Date
  nonce: number
  isUnique: boolean
  counted: boolean
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
 * The number of clicks per month or day, oldest first: the totals plus uncounted clicks. A month is identified
 * by its first day.
 */
export async function countClicksBy(
  unit: 'month' | 'day',
  tx: Tx,
  scope: Scope,
  filter: ClickFilter,
): Promise<DayCount[]> {
  const source = { byDay: unit === 'day', dimensions: [], columns: ['day', 'raws'] }
  const { rows } = await sql<DayCount>`
    select date_trunc(${unit}, day::timestamp)::date as day, sum(clicks)::bigint as clicks
    from (
      select day, sum(raws) as clicks
      from ${totalsOf(scope, filter, source)} as totals
      group by day
      union all
      select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date, count(*)
      from clicks
      where not counted and ${matching(scope, filter)}
      group by 1
    ) as counted
    group by 1
    having sum(clicks) > 0
    order by 1
  `.execute(tx)
  return rows
}

/**
 * A slice of the clicks of some days. The unfiltered list uses the time index. For an office, agent or site,
 * the totals name the agents with clicks on each day, and the primary key of clicks begins with the agent.
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
        agent_id,
        day::timestamp at time zone ${sql.lit(NEW_YORK)} as from_at,
        (day + 1)::timestamp at time zone ${sql.lit(NEW_YORK)} as before_at
      from ${totalsOf(scope, days, agentsByDay)} as totals
      where raws > 0 and day = any(${filter.days}::date[])
      group by day, agent_id
    ) as place
    join clicks
      on clicks.agent_id = place.agent_id
      and clicks.clicked_at >= place.from_at
      and clicks.clicked_at < place.before_at
    where clicks.counted and ${matching(scope, days)}`
  const notCounted = sql`select * from clicks where not counted and ${matching(scope, days)}`
  return findNamed(tx, sql`${counted} union all ${notCounted}`, order)
}

const agentsByDay = {
  byDay: true,
  dimensions: ['agent_id'],
  columns: ['day', 'agent_id', 'raws'],
} as const

/**
 * Planner settings for this transaction. Monthly partitions make plans look expensive, but JIT compilation
 * costs more than it saves. And the planner cannot estimate how much the BRIN filters of addresses skip, so it
 * overestimates their cost.
 */
export async function planForLogs(tx: Tx, { byAddress }: { byAddress: boolean }): Promise<void> {
  await sql`set local jit = off`.execute(tx)
  if (byAddress) await sql`set local enable_seqscan = off`.execute(tx)
}

/** The number of clicks of an address, capped at `most`. */
export async function countClicksOfAddress(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { ip: string },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from (select 1 from clicks where ${ofAddress(scope, filter)} limit ${most}) as found
  `.execute(tx)
  return rows[0]?.total ?? 0
}

/** A slice of the clicks of an address, and their number, capped at `most`. Beyond that, the order is undefined. */
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

/** The click of an id, if it is in scope and matches the filter. Its id leads to its primary key. */
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

/** How many entries of the sale log came from each of these clicks, by click id; none without. */
export async function countSalesOf(
  tx: Tx,
  scope: Scope,
  clicks: readonly { agentId: number; clickId: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (clicks.length === 0) return new Map()
  const { rows } = await sql<{ clickId: string; sales: number }>`
    select click_id as "clickId", count(*) as sales
    from sale_events
    where agent_id = any(${clicks.map(({ agentId }) => agentId)}::integer[])
      and click_id = any(${clicks.map(({ clickId }) => clickId)}::text[])
      and ${scope.sees === 'office' ? sql`office_id = ${scope.officeId}` : sql`true`}
    group by click_id
  `.execute(tx)
  return new Map(rows.map(({ clickId, sales }) => [clickId, sales]))
}

/** Takes the page from some clicks first, and then looks up the names. */
async function findNamed<Row extends ClickRow>(
  tx: Tx,
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
      page.site_id as "siteId",
      page.office_id as "companyId",
      page.clicked_at as "clickedAt",
      page.nonce,
      page.is_unique as "isUnique",
      page.counted,
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
    left join sites as site on site.id = page.site_id
    left join link_types as type on type.id = page.type_id
    left join referrers as referrer on referrer.id = page.referrer_id
    left join user_agents as browser on browser.id = page.user_agent_id
    ${order('page')}
  `.execute(tx)
  return rows
}

/** The number of crawler visits to the links in the viewer's scope. They leave no clicks to list. */
export async function countCrawlerVisits(
  tx: Tx,
  scope: Scope,
  { range: { start, end }, siteId, officeId, agentId }: Omit<ClickFilter, 'today'>,
): Promise<number> {
  const conditions = [
    sql`day between ${start}::date and ${end}::date`,
    scope.sees === 'office' && sql`office_id = ${scope.officeId}`,
    scope.sees === 'agent' && sql`agent_id = ${scope.agentId}`,
    officeId !== undefined && sql`office_id = ${officeId}`,
    agentId !== undefined && sql`agent_id = ${agentId}`,
    siteId !== undefined && sql`site_id = ${siteId}`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<{ visits: number }>`
    select coalesce(sum(visits), 0)::bigint as visits
    from crawler_visits
    where ${sql.join(conditions, sql` and `)}
  `.execute(tx)
  return rows[0]?.visits ?? 0
}

const totalsOf = (
  scope: Scope,
  { range, today, siteId, officeId, agentId }: ClickFilter,
  source: { byDay: boolean; dimensions: readonly 'agent_id'[]; columns: readonly string[] },
) => {
  const { columns, ...parts } = source
  const agentIds = agentId === undefined ? undefined : [agentId]
  const filter = { siteId, officeId, agentIds }
  return totalsSource(scope, { range, today, filter, ...parts }, columns)
}

const ofAddress = (scope: Scope, filter: ClickFilter & { ip: string }) =>
  sql`ip = ${filter.ip}::inet and ${matching(scope, filter)}`

/** Uses columns of `clicks`. A click stays with the office it was made for. */
function matching(scope: Scope, filter: ClickFilter): RawBuilder<unknown> {
  const conditions = [
    sql`clicks.clicked_at >= ${startOfDay(filter.range.start)}`,
    sql`clicks.clicked_at < ${endOfDayExclusive(filter.range.end)}`,
    scope.sees === 'office' && sql`clicks.office_id = ${scope.officeId}`,
    scope.sees === 'agent' && sql`clicks.agent_id = ${scope.agentId}`,
    filter.officeId !== undefined && sql`clicks.office_id = ${filter.officeId}`,
    filter.agentId !== undefined && sql`clicks.agent_id = ${filter.agentId}`,
    filter.siteId !== undefined && sql`clicks.site_id = ${filter.siteId}`,
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}
