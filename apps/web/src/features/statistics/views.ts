import type { StatsColumn, StatsGrouping } from '@tallyroom/contract/list-choices'
import { type KeyColumn, viewKeys, viewLabels } from '@tallyroom/contract/stats-table'

interface StatsView {
  /** Its choice under 'View By'. */
  label: string
  /** What a row is about; the first one stays in view. */
  keys: readonly [KeyColumn, ...KeyColumn[]]
  /** The order until another is asked for (specification 2, section 4). */
  sort: { sortField: StatsColumn; sortAsc: boolean }
}

export const statsViews: Record<StatsGrouping, StatsView> = {
  date: {
    label: viewLabels.date,
    keys: viewKeys.date,
    sort: { sortField: 'date', sortAsc: false },
  },
  company: {
    label: viewLabels.company,
    keys: viewKeys.company,
    sort: { sortField: 'officeName', sortAsc: true },
  },
  agent: {
    label: viewLabels.agent,
    keys: viewKeys.agent,
    sort: { sortField: 'agent', sortAsc: true },
  },
  detail: {
    label: viewLabels.detail,
    keys: viewKeys.detail,
    sort: { sortField: 'date', sortAsc: false },
  },
}
