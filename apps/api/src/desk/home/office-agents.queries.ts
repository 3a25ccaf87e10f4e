import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

export type OfficeAgent = {
  id: number
  username: string
  approvedAt: Date | null
  createdAt: Date
  /** Among the days that were read. */
  lastSaleDay: Day | null
  sales: number
  salesBefore: number
}

/** The active agents that the office can see, with their sales for it. */
export async function findOfficeAgents(
  tx: Tx,
  scope: Scope & { sees: 'office' },
  { days, now, before }: { days: DateRange; now: DateRange; before: DateRange },
): Promise<OfficeAgent[]> {
  const totals = {
    range: days,
    today: days.end,
    filter: {},
    dimensions: ['agent_id'],
    byDay: true,
  } as const
  const within = ({ start, end }: DateRange) =>
    sql`coalesce(sum(sales) filter (where day between ${start}::date and ${end}::date), 0)::bigint`
  const { rows } = await sql<OfficeAgent>`
    with sold as (
      select
        agent_id, max(day) filter (where sales > 0) as last_day,
        ${within(now)} as sales, ${within(before)} as sales_before
      from ${totalsSource(scope, totals, ['agent_id', 'day', 'sales'])} as totals
      group by agent_id
    )
    select
      agent.id, account.username, agent.approved_at as "approvedAt",
      agent.created_at as "createdAt",
      sold.last_day as "lastSaleDay", coalesce(sold.sales, 0) as sales,
      coalesce(sold.sales_before, 0) as "salesBefore"
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    left join sold on sold.agent_id = agent.id
    where agent.office_id = ${scope.officeId} and agent.active and not agent.hidden
    order by lower(account.username) collate "C"
  `.execute(tx)
  return rows
}
