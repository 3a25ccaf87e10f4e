import type { PayrollAvpCriteria } from '@tallyroom/contract/payroll-statistics'
import type { StatsGrouping } from '@tallyroom/contract/statistics'
import type { Ability } from '@tallyroom/domain/abilities'

/** The pages with the table of Sites Statistics. */
export type ReportName = 'sites' | 'avp' | 'payroll' | 'payrollAvp'

export type Report = {
  views: readonly StatsGrouping[]
  /** Whether rows have their agents' AVP tiers, and may be narrowed to one. */
  hasTiers: boolean
  /** Whether the tiers' rates are applied. */
  paysByTier: boolean
  /** Whether link types have a column of what they pay: at the sales' own rates, or at the tiers'. */
  typePayouts: boolean
}

const allViews = ['date', 'company', 'agent', 'detail'] as const

export const REPORTS: Record<ReportName, Report> = {
  sites: { views: allViews, hasTiers: false, paysByTier: false, typePayouts: false },
  avp: { views: ['agent', 'detail'], hasTiers: true, paysByTier: false, typePayouts: false },
  payroll: { views: allViews, hasTiers: false, paysByTier: false, typePayouts: true },
  payrollAvp: { views: allViews, hasTiers: true, paysByTier: true, typePayouts: true },
}

/** Who is offered a view (specification 2, section 2). */
export const viewAbilities: Record<StatsGrouping, Ability> = {
  date: 'stats.view',
  company: 'offices.choose',
  agent: 'agents.choose',
  detail: 'stats.view',
}

/** What any of the reports may be asked; each report's contract lets through what it has. */
export type ReportCriteria = Omit<PayrollAvpCriteria, 'avp'> &
  Partial<Pick<PayrollAvpCriteria, 'avp'>>
export type ReportColumn = Exclude<PayrollAvpCriteria['sortField'], number | undefined>
