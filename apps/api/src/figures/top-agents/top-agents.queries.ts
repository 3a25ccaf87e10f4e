import { TOP_ROWS } from '@tallyroom/contract/figures/top-agents'
import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { everything } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource, type TotalsQuestion } from '../../totals/index.ts'

/** The days of a board, and the sites whose sales count; undefined means all sites. */
type Board = {
  range: DateRange
  siteIds?: readonly number[] | undefined
  today: Day
}

export type TopAgent = {
  agent_id: number
  /** The current office. The sales include those for earlier offices. */
  office_id: number
  office_name: string
  username: string
  full_name: string
  active: boolean
  sales: number
}

/**
 * The best-selling agents of the whole network, for any viewer; presenting a row decides what the
 * viewer may see. Hidden agents and those of hidden offices are left out. Ties go to whoever joined
 * first.
 */
export async function findTopAgents(tx: Tx, question: Board): Promise<TopAgent[]> {
  const { rows } = await sql<TopAgent>`
    with sold as (
      select agent_id, sum(sales)::bigint as sales
      from ${salesOf(question, 'agent_id')} as totals
      where sales <> 0
      group by agent_id
      having sum(sales) > 0
    ),
    best as (
      select
        sold.agent_id, sold.sales, agent.office_id, office.name as office_name,
        trim(agent.first_name || ' ' || agent.last_name) as full_name, agent.active
      from sold
      join agents as agent on agent.id = sold.agent_id
      join offices as office on office.id = agent.office_id
      where not agent.hidden and not office.hidden
      order by sold.sales desc, sold.agent_id
      limit ${TOP_ROWS}
    )
    select best.*, account.username
    from best
    join accounts as account on account.agent_id = best.agent_id
    order by best.sales desc, best.agent_id
  `.execute(tx)
  return rows
}

export type TopOffice = { office_id: number; office_name: string; sales: number }

/** The best-selling offices. Sales of agents who have left or are hidden count too. */
export async function findTopOffices(tx: Tx, question: Board): Promise<TopOffice[]> {
  const { rows } = await sql<TopOffice>`
    with sold as (
      select office_id, sum(sales)::bigint as sales
      from ${salesOf(question, 'office_id')} as totals
      where sales <> 0
      group by office_id
      having sum(sales) > 0
    )
    select sold.office_id, sold.sales, office.name as office_name
    from sold
    join offices as office on office.id = sold.office_id
    where not office.hidden
    order by sold.sales desc, sold.office_id
    limit ${TOP_ROWS}
  `.execute(tx)
  return rows
}

function salesOf({ range, siteIds, today }: Board, key: 'agent_id' | 'office_id') {
  const totals: TotalsQuestion = {
    range,
    filter: { siteIds },
    dimensions: [key],
    byDay: false,
    today,
  }
  return totalsSource(everything(), totals, [key, 'sales'])
}
