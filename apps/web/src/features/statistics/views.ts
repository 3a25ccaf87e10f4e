import type { StatsColumn, StatsGrouping } from '@tallyroom/contract/statistics'
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

export type KeyColumn = 'date' | 'officeName' | 'agent'

export const statsViews: Record<StatsGrouping, StatsView> = {
  date: {
    label: 'Date',
    ability: 'stats.view',
    keys: ['date'],
    sort: { sortField: 'date', sortAsc: false },
  },
  company: {
    label: 'Office',
    ability: 'offices.choose',
    keys: ['officeName'],
    sort: { sortField: 'officeName', sortAsc: true },
  },
  agent: {
    label: 'Agent',
    ability: 'agents.choose',
    keys: ['agent', 'officeName'],
    sort: { sortField: 'agent', sortAsc: true },
  },
  detail: {
    label: 'Detail',
    ability: 'stats.view',
    keys: ['date', 'officeName', 'agent'],
    sort: { sortField: 'date', sortAsc: false },
  },
}

/** Who sees a key column at all. */
const keyAbilities: Record<KeyColumn, Ability> = {
  date: 'stats.view',
  officeName: 'offices.choose',
  agent: 'agents.choose',
}

/** The views of a report that the viewer may choose. */
export const viewsOf = ({ views }: StatsReport, viewer: AbilityHolder): StatsGrouping[] =>
  views.filter((groupBy) => can(viewer, statsViews[groupBy].ability))

export const keyColumnsOf = (groupBy: StatsGrouping, viewer: AbilityHolder): KeyColumn[] =>
  statsViews[groupBy].keys.filter((key) => can(viewer, keyAbilities[key]))

/** Points are compared by agent and by office, not by the day alone. */
export const hasLpp = (groupBy: StatsGrouping) => groupBy !== 'date'

/** A tier is one agent's: rows of an agent can have one. */
export const hasTier = (groupBy: StatsGrouping) => groupBy === 'agent' || groupBy === 'detail'
