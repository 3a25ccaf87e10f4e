import type { StatsGrouping, StatsTableName } from '@tallyroom/contract/figures/stats-table'
import { todayNewYork, addDays, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import { SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { type RawBuilder, sql } from 'kysely'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { everything } from '../apps/api/src/access/scope.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import type { ReportCriteria } from '../apps/api/src/figures/statistics/report-criteria.ts'
import { tieredSource, totalsSource } from '../apps/api/src/totals/index.ts'

/** A row of an answer with the keys of its grouping. Amounts are in minor units. */
export type AnswerRow = {
  key: string
  sums: Record<string, number>
}
export type Answer = { rows: AnswerRow[]; rowCount: number; overall: Record<string, number> }

type RawRow = Record<string, string | number>

/** The same answer directly from the events, without totals. */
export async function askEvents(
  db: Db,
  report: StatsTableName,
  criteria: ReportCriteria,
): Promise<Answer> {
  const view = viewOf(criteria)
  const keys = keysOf[view]
  const types =
    criteria.siteId === undefined
      ? []
      : await db
          .selectFrom('link_types')
          .select('id')
          .where('site_id', '=', criteria.siteId)
          .orderBy('id')
          .execute()
  const paid = report === 'payrollAvp' ? paidMetrics : []
  const sums = [...metrics, ...paid, ...types.map(({ id }) => `type_${id}`)]
  const { rows } = await sql<RawRow>`
    with weeks as (${agentWeeks(criteria)}), events as (${countedEvents(criteria)}),
    grouped as (
      select
        ${refs(keys)},
        ${sql.join([...metrics, ...paid].map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))}
        ${sql.join(
          types.map(
            ({ id }) =>
              sql`, coalesce(sum(sales) filter (where type_id = ${sql.lit(id)}), 0)::bigint as ${sql.ref(`type_${id}`)}`,
          ),
          sql``,
        )}
      from events
      group by ${refs(keys)}
    )
    select
      ${refs(keys)}, ${refs(sums)}, count(*) over () as row_count,
      ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)}) over ()::bigint as ${sql.ref(`all_${name}`)}`))}
    from grouped
    ${nameJoins[view]}
    order by ${criteria.sortField === 'sales' ? sql`sales desc, agent_id, office_id` : orders[view]}
    limit ${criteria.pageSize}
  `.execute(db)
  const pick = (row: RawRow | undefined, prefix: string) =>
    Object.fromEntries(
      sums.map((name) => [name.replace('type_', ''), Number(row?.[prefix + name] ?? 0)]),
    )
  return {
    rows: rows.map((row) => ({
      key: keys.map((key) => row[key]).join(' '),
      sums: pick(row, ''),
    })),
    rowCount: Number(rows[0]?.['row_count'] ?? 0),
    overall: pick(rows[0], 'all_'),
  }
}

/** Reads the totals rows that the answer needs, with those behind the pay of AVP sales, and only sums one column. */
export async function readRowsAlone(
  db: Db,
  report: StatsTableName,
  criteria: ReportCriteria,
): Promise<void> {
  const { groupBy, siteId, companyId } = criteria
  const question = {
    range: criteria,
    filter: { siteId, officeId: companyId },
    dimensions:
      groupBy === 'company' ? (['office_id'] as const) : groupBy === 'date' ? [] : agentColumns,
    byDay: groupBy === 'date' || groupBy === 'detail',
    today: todayNewYork(systemClock.now()),
  }
  if (groupBy === 'detail') {
    await sql`
      select raws
      from ${totalsSource(everything(), question, ['day', 'agent_id', 'office_id', 'raws'])} as totals
      order by day desc, agent_id, office_id
      limit ${criteria.pageSize}
    `.execute(db)
  }
  // The long list's sums and count come from the offices' rows.
  const summed = groupBy === 'detail' ? { ...question, dimensions: [], byDay: false } : question
  await sql`
    select count(*), sum(raws) from ${totalsSource(everything(), summed, ['raws'])} as totals
  `.execute(db)
  if (report === 'payrollAvp') {
    const dimensions = siteId === undefined ? (['office_id'] as const) : agentColumns
    await sql`
      select count(*), sum(avp_sales)
      from ${tieredSource(everything(), { ...question, dimensions }, [], ['avp_sales'])} as sales
      where avp_sales <> 0
    `.execute(db)
  }
}

const agentColumns = ['agent_id', 'office_id'] as const

/** What AVP sales pay by tier. */
const paidMetrics = ['paid_centavos', 'paid_cents']

const metrics = [
  'raws',
  'uniques',
  'sales',
  'bonus_sales',
  'earning_cents',
  'bonus_earning_cents',
  'payout_centavos',
  'bonus_payout_centavos',
]

/** Sub ids are read from events anyway. */
type View = Exclude<StatsGrouping, SubName>

function viewOf({ groupBy }: ReportCriteria): View {
  if (isView(groupBy)) return groupBy
  throw new RangeError(`there is no reference for ${groupBy}`)
}

const isView = (groupBy: StatsGrouping): groupBy is View =>
  SUB_NAMES.every((name) => name !== groupBy)

const keysOf: Record<View, string[]> = {
  date: ['day'],
  company: ['office_id'],
  agent: ['agent_id', 'office_id'],
  detail: ['day', 'agent_id', 'office_id'],
  type: ['type_id', 'site_id'],
}

const nameJoins: Record<View, RawBuilder<unknown>> = {
  date: sql``,
  company: sql`left join (select id as office_id, name from offices) as offices using (office_id)`,
  agent: sql`left join (select agent_id, username from accounts) as accounts using (agent_id)`,
  detail: sql`left join (select agent_id, username from accounts) as accounts using (agent_id)`,
  type: sql`left join (select id as type_id, typename from link_types) as link_types using (type_id)`,
}

const orders: Record<View, RawBuilder<unknown>> = {
  date: sql`day desc`,
  company: sql`lower(name) collate "C", office_id`,
  agent: sql`lower(username) collate "C", agent_id, office_id`,
  detail: sql`day desc, agent_id, office_id`,
  type: sql`lower(typename) collate "C", type_id`,
}

/** AVP sales and their reversals, each at the time of its sale: a reversal takes its sale out of that sale's week. */
const avpSales = sql`(
  select event.agent_id, event.office_id, event.site_id, event.type_id, event.quantity,
    coalesce(sale.occurred_at, event.occurred_at) as sold_at
  from sale_events as event
  left join sale_events as sale
    on event.quantity = -1 and sale.agent_id = event.agent_id and sale.id = event.reverses
  where event.event_type = 0 and event.avp
) as avp_sales`

/** The tier of each agent's week with AVP sales. */
function agentWeeks({ start, end }: ReportCriteria): RawBuilder<unknown> {
  return sql`
    select week_agent, week, index, coalesce(payout_centavos, 0) as tier_centavos, coalesce(payout_cents, 0) as tier_cents
    from (
      select
        agent_id as week_agent, date_trunc('week', sold_at at time zone ${sql.lit(NEW_YORK)})::date as week,
        greatest(sum(quantity), 0) as sales
      from ${avpSales}
      where sold_at >= ${startOfDay(start)} and sold_at < ${startOfDay(addDays(end, 1))}
      group by 1, 2
    ) as weeks
    left join avp_tiers
      on valid_from = (select max(valid_from) from avp_tiers where valid_from <= week)
      and sales >= from_sales and (sales <= to_sales or to_sales >= 1000)
  `
}

function countedEvents({
  start,
  end,
  siteId,
  companyId,
  avp,
}: ReportCriteria): RawBuilder<unknown> {
  const [from, before] = [startOfDay(start), startOfDay(addDays(end, 1))]
  const local = (column: string) => sql`${sql.ref(column)} at time zone ${sql.lit(NEW_YORK)}`
  const dayOf = (column: string) => sql`(${local(column)})::date as day`
  const weekOf = (column: string) => sql`
    left join weeks
      on week_agent = agent_id and week = date_trunc('week', ${local(column)})::date`
  const filter = sql`
    ${siteId === undefined ? sql`true` : sql`site_id = ${siteId}`}
    and ${companyId === undefined ? sql`true` : sql`office_id = ${companyId}`}
    and ${avp === undefined ? sql`true` : sql`index = ${avp}`}`
  return sql`
    select
      ${dayOf('clicked_at')}, agent_id, office_id, site_id, type_id, 1 as raws, is_unique::integer as uniques,
      0 as sales, 0 as bonus_sales, 0 as earning_cents, 0 as bonus_earning_cents,
      0 as payout_centavos, 0 as bonus_payout_centavos, 0 as paid_centavos, 0 as paid_cents
    from clicks
    join link_types as type on type.id = type_id
    ${avp === undefined ? sql`` : sql`${weekOf('clicked_at')} and ${indexedDay} between week and week + 7`}
    where uncounted is null and clicked_at >= ${from} and clicked_at < ${before} and ${filter}
    union all
    select
      ${dayOf('occurred_at')}, agent_id, office_id, site_id, type_id, 0, 0,
      case event_type when 0 then quantity else 0 end, case event_type when 1 then quantity else 0 end,
      case event_type when 0 then earning_cents else 0 end, case event_type when 1 then earning_cents else 0 end,
      case event_type when 0 then payout_centavos else 0 end, case event_type when 1 then payout_centavos else 0 end,
      0, 0
    from sale_events
    ${avp === undefined ? sql`` : weekOf('occurred_at')}
    where event_type in (0, 1) and occurred_at >= ${from} and occurred_at < ${before} and ${filter}
    union all
    select
      ${dayOf('sold_at')}, agent_id, office_id, site_id, type_id, 0, 0, 0, 0, 0, 0, 0, 0,
      quantity * tier_centavos, quantity * tier_cents
    from ${avpSales}
    ${weekOf('sold_at')}
    where sold_at >= ${from} and sold_at < ${before} and ${filter}
  `
}

/** As in the index of an agent's clicks, which finds those of a week without reading all. Monday may end on Tuesday. */
const indexedDay = sql`(clicked_at at time zone 'UTC')::date`

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
