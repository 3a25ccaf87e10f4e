import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { StatsGrouping } from './list-choices.ts'

/** One of the statistics tables, on a page and in a file. */
export interface StatsTable {
  title: string
  /** Whether its figures go by AVP tiers, and so by whole weeks. */
  isWeekly: boolean
  /** What it can be grouped by, for those who have the view at all. */
  views: readonly [StatsGrouping, ...StatsGrouping[]]
  /** What payrolls pay by: the rates of the sales, or the tiers of their agents. */
  pays?: 'rates' | 'tiers'
}

const allViews = ['date', 'company', 'agent', 'detail'] as const

export const statsTables = {
  sites: { title: 'Sites Statistics', isWeekly: false, views: allViews },
  avp: { title: 'Sites AVP Statistics', isWeekly: true, views: ['agent', 'detail'] },
  payroll: { title: 'Payroll', isWeekly: false, views: allViews, pays: 'rates' },
  payrollAvp: { title: 'Payroll AVP', isWeekly: true, views: allViews, pays: 'tiers' },
} as const satisfies Record<string, StatsTable>

export type StatsTableName = keyof typeof statsTables

/** Who is offered a view (specification 2, section 2). */
const viewAbilities: Record<StatsGrouping, Ability> = {
  date: 'stats.view',
  company: 'offices.choose',
  agent: 'agents.choose',
  detail: 'stats.view',
}

/** The views of a table that the viewer may choose. */
export const viewsOf = ({ views }: Pick<StatsTable, 'views'>, viewer: AbilityHolder) =>
  views.filter((groupBy) => can(viewer, viewAbilities[groupBy]))

/** What a row is about. */
export type KeyColumn = 'date' | 'officeName' | 'agent'

export const keyHeaders: Record<KeyColumn, string> = {
  date: 'Date',
  officeName: 'Office',
  agent: 'Agent',
}

/** What an agent's tier, and what it has it by, are called. */
export const tierHeaders = { avpPeriod: 'AVP', agent_avp_sales_count: 'Week’s AVP Sales' } as const

/** What the rows of each view are about; the first stays in view. */
export const viewKeys = {
  date: ['date'],
  company: ['officeName'],
  agent: ['agent', 'officeName'],
  detail: ['date', 'officeName', 'agent'],
} as const satisfies Record<StatsGrouping, readonly KeyColumn[]>

/** Who sees a key column at all (specification 2, section 2). */
const keyAbilities: Record<KeyColumn, Ability> = {
  date: 'stats.view',
  officeName: 'offices.choose',
  agent: 'agents.choose',
}

export const keyColumnsOf = (groupBy: StatsGrouping, viewer: AbilityHolder): KeyColumn[] =>
  viewKeys[groupBy].filter((key) => can(viewer, keyAbilities[key]))

/** What the views are called: the choices under 'View By', and in the names of files. */
export const viewLabels: Record<StatsGrouping, string> = {
  date: 'Date',
  company: 'Office',
  agent: 'Agent',
  detail: 'Detail',
}

/** Points are compared by agent and by office, not by the day alone. */
export const hasLpp = (groupBy: StatsGrouping) => groupBy !== 'date'

/** Whether rows have a tier: it is one agent's, by its weeks. */
export const hasTier = ({ isWeekly }: StatsTable, groupBy: StatsGrouping) =>
  isWeekly && (groupBy === 'agent' || groupBy === 'detail')

/** What criteria are called in words. */
export interface CriteriaWords {
  start: string
  end: string
  site: string
  type: string
  office: string
  agent: string
  /** Only where an AVP tier was chosen. */
  tier?: string | undefined
}

/** `From 2026-11-16 To 2026-11-22 [All sites, Type:All, Office:All, Agent:All]`; a chosen tier stands behind the agent. */
export function criteriaText({ start, end, site, type, office, agent, tier }: CriteriaWords) {
  const parts = [site, `Type:${type}`, `Office:${office}`, `Agent:${agent}`]
  if (tier !== undefined) parts.push(`AVP:${tier}`)
  return `From ${start} To ${end} [${parts.join(', ')}]`
}
