import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Sight } from '../../access/sight.ts'
import type { Tx } from '../../db/database.ts'
import { type TotalsFilter, tieredSource, totalsSource } from '../../totals/index.ts'
import { agentSeen } from '../../access/sight.queries.ts'

/** AVP sales of a week: all of the agent's, which decide the tier, and those in scope, which are paid here. */
export type WeekSales = { weekSales: number; paidSales: number }

/** The weeks in which an agent in scope sold on AVP sites, oldest first. `weeks` are whole ones. */
export async function findWeeksOfAgent(
  tx: Tx,
  scope: Scope,
  agentId: number,
  weeks: DateRange,
): Promise<(WeekSales & { week: Day })[]> {
  const { rows } = await sql<WeekSales & { week: Day }>`
    select day as week, ${sums}
    from ${agentWeeks(scope, weeks, { agentIds: [agentId] })} as weeks
    group by day
    order by day
  `.execute(tx)
  return rows
}

export type SellingAgent = WeekSales & {
  agentId: number
  username: string
  officeId: number
  officeName: string
}

/** Agents with AVP sales in a week who can still sell, of one office or one site if these are given. */
export async function findSellingAgents(
  tx: Tx,
  sight: Sight,
  { week, officeId, siteId }: { week: DateRange; officeId?: number; siteId?: number },
): Promise<SellingAgent[]> {
  const { rows } = await sql<SellingAgent>`
    select
      agent.id as "agentId", account.username, office.id as "officeId",
      office.name as "officeName", "weekSales", "paidSales"
    from (
      select agent_id, ${sums}
      from ${agentWeeks(sight.scope, week, {})} as weeks
      group by agent_id
    ) as sold
    join agents as agent on agent.id = sold.agent_id
    join accounts as account on account.agent_id = agent.id
    join offices as office on office.id = agent.office_id
    where ${agentSeen({ ...sight, withHidden: false, withSuspended: false })}
      and office.active and agent.approved_at is not null
      and ${officeId === undefined ? sql`true` : sql`office.id = ${officeId}`}
      and ${siteId === undefined ? sql`true` : soldOn(sight.scope, week, siteId)}
  `.execute(tx)
  return rows
}

/** The name of an agent whom the viewer can see. */
export async function findSeenAgent(
  tx: Tx,
  sight: Sight,
  agentId: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ username: string }>`
    select account.username
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    where agent.id = ${agentId} and ${agentSeen(sight)}
  `.execute(tx)
  return rows[0]?.username
}

/** A week has one row per office that the agent sold for. */
const sums = sql`max(week_avp_sales) as "weekSales", sum(avp_sales)::bigint as "paidSales"`

function agentWeeks(scope: Scope, weeks: DateRange, filter: TotalsFilter): RawBuilder<unknown> {
  const sold = {
    range: weeks,
    filter,
    dimensions: ['agent_id'],
    byDay: false,
  } as const
  return sql`(
    select *
    from ${tieredSource(scope, sold, [], ['day', 'agent_id', 'avp_sales', 'week_avp_sales'])} as rows
    where avp_sales <> 0 or week_avp_sales <> 0
  )`
}

function soldOn(scope: Scope, week: DateRange, siteId: number): RawBuilder<unknown> {
  const totals = {
    range: week,
    today: week.end,
    filter: { siteId },
    dimensions: ['agent_id'],
    byDay: true,
  } as const
  return sql`agent.id in (
    select agent_id
    from ${totalsSource(scope, totals, ['agent_id', 'avp_sales'])} as totals
    where avp_sales > 0
  )`
}
