import type { AmountQuestion } from '@tallyroom/contract/stats-explain'
import type { StatsRow } from '@tallyroom/contract/statistics'
import { isAmountColumn } from '@tallyroom/contract/stats-table'
import { isValidRange } from '@tallyroom/domain/periods'
import type { StatsCriteria, StatsReport } from './stats-search.ts'

/** What a figure of a row or of the overall total is; undefined for one that is not made of sales. */
export function amountOf(
  report: StatsReport,
  { start, end, siteId, typeId, companyId, agentId, avp }: StatsCriteria,
  /** A column as it is sorted by: `payout`, `12`, `12_payout`. */
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

/** What identifies a row in its view. */
export const rowKeyOf = ({ date, companyId, agentId, siteId, typeId }: StatsRow) =>
  given({ date, companyId, agentId, siteId, typeId })

const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
