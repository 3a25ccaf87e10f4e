import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import { columns } from '../db/list-query.ts'
import type { Tx } from '../db/database.ts'
import { sums, weekOf } from './fold-totals.queries.ts'
import { metrics, officeWeekLevel, type TotalsDifference } from './levels.ts'

/** Weeks of offices: `day`, their Monday, and `office_id`. */
export type OfficeWeeks = RawBuilder<{ day: string; office_id: number }>

/**
 * Updates `week_avp_sales` of these weeks of agents (`agent_id`, and `day`, their Monday) and
 * recomputes the weeks of their offices, after pending rows have been added to the weeks of agents.
 */
export async function keepWeekAvp(
  tx: Tx,
  agentWeeks: RawBuilder<unknown>,
  remakeOfficeWeeks: (tx: Tx, changed: OfficeWeeks) => Promise<void>,
): Promise<void> {
  await setWeekAvpSales(tx, agentWeeks)
  await remakeOfficeWeeks(
    tx,
    // Includes offices that the agent worked for earlier in the week, because their rows of it changed tier too.
    sql`
      select distinct day, office_id
      from (${agentWeeks}) as changed
      join totals_week_agent using (agent_id, day)
    `,
  )
}

/** The weeks of offices that have totals on a day. */
export const officeWeeksOf = (day: Day): OfficeWeeks => sql`
  select ${weekOf(sql`day`)} as day, office_id from totals_day_office where day = ${day}::date
`

/** Fills both levels from all weeks of agents. */
export async function fillWeekAvp(tx: Tx): Promise<void> {
  await setWeekAvpSales(tx, sql`select distinct agent_id, day from totals_week_agent`)
  await sql`
    insert into totals_week_office_avp (${kept})
    ${officeWeeks(sql`totals_week_agent`)}
  `.execute(tx)
}

async function setWeekAvpSales(tx: Tx, agentWeeks: RawBuilder<unknown>): Promise<void> {
  await sql`
    update totals_week_agent as present
    set week_avp_sales = weeks.avp_sales
    from (
      select agent_id, day, sum(avp_sales)::integer as avp_sales
      from (${agentWeeks}) as changed
      join totals_week_agent using (agent_id, day)
      group by agent_id, day
    ) as weeks
    where present.agent_id = weeks.agent_id and present.day = weeks.day
      and present.week_avp_sales <> weeks.avp_sales
  `.execute(tx)
}

/** Deletes the rows of these weeks of offices that meet a condition. */
export const deleteOfficeWeeks = (tx: Tx, changed: OfficeWeeks, condition: RawBuilder<unknown>) =>
  sql`
    delete from totals_week_office_avp as present
    using (${changed}) as changed
    where present.office_id = changed.office_id and present.day = changed.day and ${condition}
  `.execute(tx)

/** Computes the rows of these weeks of offices from the weeks of their agents. Those that are there are updated. */
export const insertOfficeWeeks = (tx: Tx, changed: OfficeWeeks) =>
  sql`
    insert into totals_week_office_avp (${kept})
    ${officeWeeks(sql`(${changed}) as changed join totals_week_agent using (day, office_id)`)}
    on conflict (${columns(officeWeekLevel.key)}) do update
    set ${sql.join(metrics.map((metric) => sql`${sql.ref(metric)} = ${sql.ref(`excluded.${metric}`)}`))}
  `.execute(tx)

/** Weeks of agents, summed by office and AVP sales. */
const officeWeeks = (agentWeeks: RawBuilder<unknown>) => sql`
  select day, office_id, week_avp_sales, ${sums(metrics)}
  from ${agentWeeks}
  group by day, office_id, week_avp_sales
  order by day, office_id, week_avp_sales
`

const kept = columns(['day', ...officeWeekLevel.dimensions, ...metrics])

/** Compares both with the weeks of agents, which in turn are compared with the events. */
export async function weekAvpDifferences(tx: Tx, limit: number): Promise<TotalsDifference[]> {
  const { rows } = await sql<TotalsDifference>`
    select level, row, coalesce(expected, 'no row') as expected, coalesce(actual, 'no row') as actual
    from (
      select
        'totals_week_agent.week_avp_sales' as level, row(day, agent_id, office_id)::text as row,
        (sum(avp_sales) over (partition by day, agent_id))::text as expected, week_avp_sales::text as actual
      from totals_week_agent
      union all
      select ${officeWeekLevel.table}, row(day, office_id, week_avp_sales)::text, max(expected), max(actual)
      from (
        select day, office_id, week_avp_sales, row(${columns(metrics)})::text as expected, null as actual
        from (${officeWeeks(sql`totals_week_agent`)}) as made
        union all
        select day, office_id, week_avp_sales, null, row(${columns(metrics)})::text
        from totals_week_office_avp
      ) as sides
      group by day, office_id, week_avp_sales
    ) as compared
    where expected is distinct from actual
    order by level, row
    limit ${limit}
  `.execute(tx)
  return rows
}
