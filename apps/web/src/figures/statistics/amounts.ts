import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import {
  isAmountColumn,
  type StatsCriteria,
  subOfView,
} from '@tallyroom/contract/figures/stats-table'
import { type DateRange, isValidRange } from '@tallyroom/domain/periods'
import type { StatsReport } from './stats-search.ts'

/**
 * What a figure of a row or of the overall total consists of; undefined if it is not made of sales, or of those of several sub
 * ids.
 */
export function amountOf(
  report: StatsReport,
  criteria: StatsCriteria,
  /** A column under its sort name: `payout`, `12`, `12_payout`. */
  column: string,
  row?: StatsRow,
): AmountQuestion | undefined {
  const { start, end, siteId, typeId, companyId, agentId, avp } = criteria
  const range = { start, end }
  const subs = subsOf(criteria, row)
  if (!isAmountColumn(column) || !isValidRange(range) || !subs) return undefined
  const { date, ...ids } = row ? idsOf(row) : {}
  return {
    report: report.name,
    column,
    ...(date === undefined ? range : { start: date, end: date }),
    ...given({ companyId, agentId, siteId, typeId, avp, ...subs }),
    ...ids,
  }
}

/** The search of the click log, narrowed to a figure's clicks. */
export type ClicksSearch = Partial<DateRange> &
  Pick<StatsCriteria, 'siteId' | 'companyId' | 'agentId' | 'sub' | 'subId'>

/**
 * The clicks of a figure; undefined if it is narrowed by link type or tier, for which the log has
 * no filter, or is about several sub ids.
 */
export function clicksOf(
  criteria: StatsCriteria,
  column: string,
  row?: StatsRow,
): ClicksSearch | undefined {
  const { start, end, siteId, typeId, companyId, agentId, avp } = criteria
  const range = { start, end }
  const subs = subsOf(criteria, row)
  if ((column !== 'raws' && column !== 'uniques') || !isValidRange(range) || !subs) return undefined
  const { date, ...ids } = row ? idsOf(row) : {}
  if ((ids.typeId ?? typeId ?? avp) !== undefined) return undefined
  return {
    ...(date === undefined ? range : { start: date, end: date }),
    ...given({ siteId, companyId, agentId, ...subs }),
    ...ids,
  }
}

/**
 * The sub id of a row, or of the criteria. Undefined for a row of several, for one of clicks that nobody knows it of, and for one
 * within another sub id: figures and logs are narrowed by one at a time.
 */
export function subsOf(
  { groupBy, sub, subId }: StatsCriteria,
  row?: Pick<StatsRow, 'subRow' | 'subId'>,
): Pick<StatsCriteria, 'sub' | 'subId'> | undefined {
  const view = row && subOfView(groupBy)
  if (!view) return { sub, subId }
  if (row.subRow === 'others' || row.subRow === 'unknown') return undefined
  return sub === undefined || sub === view ? { sub: view, subId: row.subId } : undefined
}

const idsOf = ({ date, companyId, agentId, siteId, typeId }: StatsRow) =>
  given({ date, companyId, agentId, siteId, typeId })

/** What identifies a row in its view. */
export const rowKeyOf = (row: StatsRow) =>
  given({ ...idsOf(row), subRow: row.subRow, subId: row.subId })

const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
