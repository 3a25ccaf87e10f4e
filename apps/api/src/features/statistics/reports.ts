import type { PayrollAvpCriteria } from '@tallyroom/contract/payroll-statistics'
import { type StatsTable, type StatsTableName, statsTables } from '@tallyroom/contract/stats-table'

/** The pages with the table of Sites Statistics. */
export type ReportName = StatsTableName

export type Report = Pick<StatsTable, 'views'> & {
  /** Whether rows have their agents' AVP tiers, and may be narrowed to one. */
  hasTiers: boolean
  /** Whether the tiers' rates are applied. */
  paysByTier: boolean
  /** Whether link types have a column of what they pay: at the sales' own rates, or at the tiers'. */
  typePayouts: boolean
}

export function reportOf(name: ReportName): Report {
  const { views, isWeekly, pays }: StatsTable = statsTables[name]
  return {
    views,
    hasTiers: isWeekly,
    paysByTier: pays === 'tiers',
    typePayouts: pays !== undefined,
  }
}

/** What any of the reports may be asked; each report's contract lets through what it has. */
export type ReportCriteria = Omit<PayrollAvpCriteria, OptionalCriterion> &
  Partial<Pick<PayrollAvpCriteria, OptionalCriterion>>
type OptionalCriterion = 'avp' | 'sortField' | 'sortAsc'
export type ReportColumn = Exclude<NonNullable<PayrollAvpCriteria['sortField']>, number>
