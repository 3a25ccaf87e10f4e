import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import type { StatsRow } from '@tallyroom/contract/statistics'
import { hasTier, statsTables, tierHeaders } from '@tallyroom/contract/stats-table'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount } from '@tallyroom/domain/money'
import type { StatsReport } from './reports.ts'

/** A column of what is known of a row and has no sum. */
export interface FactColumn {
  id: string
  header: string
  note: string
  sortField: string
  numeric?: true
  text: (row: StatsRow) => string
}

/** An agent's tier and what it has it by, where rows are of one agent in whole weeks. */
export const tierColumns = (report: StatsReport, groupBy: StatsGrouping): FactColumn[] =>
  hasTier(statsTables[report.name], groupBy) ? TIER_COLUMNS : []

const TIER_COLUMNS: FactColumn[] = [
  {
    id: 'avpPeriod',
    header: tierHeaders.avpPeriod,
    note: 'The agent’s tier in the A.V.P. pay schedule for the week',
    sortField: 'avpPeriod',
    text: ({ avpPeriod }) => (avpPeriod ? avpSelectLabel(avpPeriod) : '–'),
  },
  {
    id: 'agent_avp_sales_count',
    header: tierHeaders.agent_avp_sales_count,
    note: 'What the agent has its tier by: all its AVP sales of the whole week, whatever else is chosen here',
    sortField: 'agent_avp_sales_count',
    numeric: true,
    text: ({ agent_avp_sales_count: sales }) => formatCount(sales),
  },
]
