import type { StatsGrouping } from '@tallyroom/contract/statistics'
import type { Day } from '@tallyroom/domain/new-york'

/** What a row is about; which of them are there depends on the grouping. */
export type RowKey = { day?: Day; office_id?: number; agent_id?: number }

/** The key columns of each grouping. An agent that moved has a row for each office that it worked for. */
export const keysOf = {
  date: ['day'],
  company: ['office_id'],
  agent: ['agent_id', 'office_id'],
  detail: ['day', 'agent_id', 'office_id'],
} as const satisfies Record<StatsGrouping, readonly (keyof RowKey)[]>

/** Which amounts leave. What a viewer may not see is left out, not zeroed. */
export type Visibility = { earning: boolean; payout: boolean; lpp: boolean }

/** The site that a question is about, with the link types that get a column each. */
export type ChosenSite = {
  useApproveSale: boolean
  types: { id: number; typename: string; bonus: boolean }[]
}
