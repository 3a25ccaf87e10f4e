import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import { isAmountColumn, type StatsCriteria } from '@tallyroom/contract/figures/stats-table'
import { type DateRange, isValidRange } from '@tallyroom/domain/periods'
import type { StatsReport } from './stats-search.ts'

/**
 * What a figure of a row or of the overall total consists of; undefined if it is not made of sales.
 */
export function amountOf(
  report: StatsReport,
  { start, end, siteId, typeId, companyId, agentId, avp }: StatsCriteria,
  /** A column under its sort name: `payout`, `12`, `12_payout`. */
  column: string,
  row?: StatsRow,
): AmountQuestion | undefined {
  const range = { start, end }
  if (!isAmountColumn(column) || !isValidRange(range)) return undefined
  const { date, ...ids } = row ? rowKeyOf(row) : {}
  return {
    report: report.name,
    column,
    ...(date === undefined ? range : { start: date, end: date }),
    ...given({ companyId, agentId, siteId, typeId, avp }),
    ...ids,
  }
}

/** The search of the click log, narrowed to a figure's clicks. */
export type ClicksSearch = Partial<DateRange> &
  Pick<StatsCriteria, 'siteId' | 'companyId' | 'agentId'>

/**
 * The clicks of a figure; undefined if it is narrowed by link type or tier, for which the log has
 * no filter.
 */
export function clicksOf(
  { start, end, siteId, typeId, companyId, agentId, avp }: StatsCriteria,
  column: string,
  row?: StatsRow,
): ClicksSearch | undefined {
  const range = { start, end }
  if ((column !== 'raws' && column !== 'uniques') || !isValidRange(range)) return undefined
  const { date, ...ids } = row ? rowKeyOf(row) : {}
  if ((ids.typeId ?? typeId ?? avp) !== undefined) return undefined
  return {
    ...(date === undefined ? range : { start: date, end: date }),
    ...given({ siteId, companyId, agentId }),
    ...ids,
  }
}

/** What identifies a row in its view. */
export const rowKeyOf = ({ date, companyId, agentId, siteId, typeId }: StatsRow) =>
  given({ date, companyId, agentId, siteId, typeId })

const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
