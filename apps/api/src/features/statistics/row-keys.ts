import type { StatsRow } from '@tallyroom/contract/statistics'
import type { StatsGrouping } from '@tallyroom/contract/stats-table'
import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'

/** What a row is about; which of them are there depends on the grouping. */
export type RowKey = {
  day?: Day
  office_id?: number
  agent_id?: number
  type_id?: number
  site_id?: number
}
export type RowKeyName = keyof RowKey

/** The key columns of each grouping. An agent that moved has a row for each office that they worked for. */
export const keysOf = {
  date: ['day'],
  company: ['office_id'],
  agent: ['agent_id', 'office_id'],
  detail: ['day', 'agent_id', 'office_id'],
  type: ['type_id', 'site_id'],
} as const satisfies Record<StatsGrouping, readonly RowKeyName[]>

/** A row's key as text, to find what else belongs to it. */
export const nameOfRow = (groupBy: StatsGrouping, row: RowKey): string =>
  keysOf[groupBy].map((key: RowKeyName) => row[key] ?? '').join(' ')

/** The names of what a row is about. */
export type RowNames = {
  office_name?: string
  username?: string
  full_name?: string
  typename?: string
  sitename?: string
}

/** A row's key as it is sent. */
export const presentKey = (groupBy: StatsGrouping, row: RowKey & RowNames): Partial<StatsRow> =>
  Object.assign({}, ...keysOf[groupBy].map((key: RowKeyName) => presented[key](row)))

const presented: Record<RowKeyName, (row: RowKey & RowNames) => Partial<StatsRow>> = {
  day: ({ day }) => ({ date: day }),
  office_id: ({ office_id, office_name = '' }) => ({
    companyId: office_id,
    officeName: office_name,
  }),
  agent_id: ({ agent_id, username = '', full_name = '' }) => ({
    agentId: agent_id,
    agent: username,
    agentFullName: full_name,
  }),
  type_id: ({ type_id, typename = '' }) => ({ typeId: type_id, typename }),
  site_id: ({ site_id, sitename = '' }) => ({ siteId: site_id, sitename }),
}

/** From the first to the last day of some rows; undefined when they have none. */
export function daysOf(rows: readonly RowKey[]): DateRange | undefined {
  const days = rows.flatMap(({ day }): Day[] => (day === undefined ? [] : [day])).toSorted()
  const [start, end] = [days[0], days.at(-1)]
  return start !== undefined && end !== undefined ? { start, end } : undefined
}

/** The agents of some rows; none when the rows are not of agents. */
export const agentsOf = (rows: readonly RowKey[]): number[] =>
  rows.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))
