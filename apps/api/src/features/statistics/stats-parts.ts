import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'

/** What a row is about; which of them are there depends on the grouping. */
export type RowKey = { day?: Day; office_id?: number; agent_id?: number }

/** The key columns of each grouping. An agent that moved has a row for each office that it worked for. */
export const keysOf = {
  date: ['day'],
  company: ['office_id'],
  agent: ['agent_id', 'office_id'],
  detail: ['day', 'agent_id', 'office_id'],
} as const satisfies Record<StatsGrouping, readonly (keyof RowKey)[]>

/** From the first to the last day of some rows; undefined when they have none. */
export function daysOf(rows: readonly RowKey[]): DateRange | undefined {
  const days = rows.flatMap(({ day }): Day[] => (day === undefined ? [] : [day])).toSorted()
  const [start, end] = [days[0], days.at(-1)]
  return start !== undefined && end !== undefined ? { start, end } : undefined
}

/** The agents of some rows; none when the rows are not of agents. */
export const agentsOf = (rows: readonly RowKey[]): number[] =>
  rows.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))

/** The site that a question is about, with the link types that get a column each. */
export type ChosenSite = {
  useApproveSale: boolean
  types: { id: number; typename: string; bonus: boolean }[]
}
