import type { StatsColumn, StatsGrouping } from '@tallyroom/contract/statistics'
import { type KeyColumn, viewKeys } from '@tallyroom/contract/stats-table'
import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { StatsReport } from './reports.ts'

interface StatsView {
  /** Its choice under 'View By'. */
  label: string
  /** Who is offered it (specification 2, section 2). */
  ability: Ability
  /** What a row is about; the first one stays in view. */
  keys: readonly [KeyColumn, ...KeyColumn[]]
  /** The order until another is asked for (specification 2, section 4). */
  sort: { sortField: StatsColumn; sortAsc: boolean }
}

export const statsViews: Record<StatsGrouping, StatsView> = {
  date: {
    label: 'Date',
    ability: 'stats.view',
    keys: viewKeys.date,
    sort: { sortField: 'date', sortAsc: false },
  },
  company: {
    label: 'Office',
    ability: 'offices.choose',
    keys: viewKeys.company,
    sort: { sortField: 'officeName', sortAsc: true },
  },
  agent: {
    label: 'Agent',
    ability: 'agents.choose',
    keys: viewKeys.agent,
    sort: { sortField: 'agent', sortAsc: true },
  },
  detail: {
    label: 'Detail',
    ability: 'stats.view',
    keys: viewKeys.detail,
    sort: { sortField: 'date', sortAsc: false },
  },
}

/** The views of a report that the viewer may choose. */
export const viewsOf = ({ views }: StatsReport, viewer: AbilityHolder): StatsGrouping[] =>
  views.filter((groupBy) => can(viewer, statsViews[groupBy].ability))
